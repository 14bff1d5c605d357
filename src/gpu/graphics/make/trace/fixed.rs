//! Fixed functions as states of a frame, and as uniforms of shaders.

use serde::de::DeserializeOwned;

use super::call::{Fault, refused};
use super::gl::Gl;
use super::textures::Texture;
use crate::graphics::frame::file::{Letters, StateFile};
use crate::graphics::make::camera::{Matrix, times};
use crate::graphics::{
    Blend, DepthTest, Equation, Facing, Function, Mask, Viewport, Winding, to_color,
};

/// Capabilities that are drawn as GL does, or change nothing.
const CAPABILITIES: [&str; 14] = [
    "GL_ALPHA_TEST",
    "GL_BLEND",
    "GL_COLOR_LOGIC_OP",
    "GL_COLOR_MATERIAL",
    "GL_CULL_FACE",
    "GL_DEPTH_TEST",
    "GL_DITHER",
    "GL_FOG",
    "GL_LIGHTING",
    "GL_MULTISAMPLE",
    "GL_NORMALIZE",
    "GL_RESCALE_NORMAL",
    "GL_SCISSOR_TEST",
    "GL_TEXTURE_2D",
];

/// Refuses what is enabled, or set, and not drawn.
pub(super) fn check(gl: &Gl) -> Result<(), Fault> {
    let is_light = |it: &str| it.starts_with("GL_LIGHT") && it != "GL_LIGHTING";
    for it in gl.enabled().filter(|it| !it.ends_with("_ARRAY") && !CAPABILITIES.contains(it)) {
        if !is_light(it) || gl.has("GL_LIGHTING") {
            return refused(format!("{it} is enabled"));
        }
    }
    let known = [
        ("glShadeModel.mode", "GL_SMOOTH"),
        ("glPolygonMode.mode", "GL_FILL"),
        ("glDepthRange.zNear", "0"),
        ("glDepthRange.zFar", "1"),
        ("GL_FOG_COORD_SRC", "GL_FRAGMENT_DEPTH"),
        ("GL_RGB_SCALE", "1"),
        ("GL_ALPHA_SCALE", "1"),
    ];
    match known.into_iter().find(|(key, value)| gl.text(key, value) != *value) {
        Some((key, value)) => refused(format!("{key} = {}: {value} is accepted", gl.text(key, ""))),
        None => Ok(()),
    }
}

/// A value by GL's name.
fn named<T: DeserializeOwned>(name: &str) -> Result<T, Fault> {
    let short = name.trim_start_matches("GL_").trim_start_matches("FUNC_").to_lowercase();
    toml::Value::String(short).try_into().or_else(|_| refused(name))
}

/// Channels that are written.
pub(super) fn mask(gl: &Gl) -> Mask {
    let channels = ["red", "green", "blue", "alpha"].into_iter().zip("rgba".chars());
    let on = channels.filter(|(name, _)| gl.is_on(&format!("glColorMask.{name}")));
    Mask::named(&on.map(|(_, letter)| letter).collect::<String>()).unwrap_or(Mask::ALL)
}

/// The state of a draw.
pub(super) fn state(gl: &Gl) -> Result<StateFile, Fault> {
    let cull = match gl.text("glCullFace.mode", "GL_BACK") {
        _ if !gl.has("GL_CULL_FACE") => Facing::None,
        "GL_FRONT_AND_BACK" => Facing::Both,
        face => named(face)?,
    };
    let front: Winding = named(gl.text("glFrontFace.mode", "GL_CCW"))?;
    let depth = match gl.has("GL_DEPTH_TEST") {
        true => Some(DepthTest {
            test: named(gl.text("glDepthFunc.func", "GL_LESS"))?,
            write: gl.is_on("glDepthMask.flag"),
        }),
        false => None,
    };
    let logic = match gl.has("GL_COLOR_LOGIC_OP") {
        true => Some(named(gl.text("glLogicOp.opcode", "GL_COPY"))?),
        false => None,
    };
    let blend = match gl.has("GL_BLEND") && logic.is_none() {
        true => Some(blend(gl)?),
        false => None,
    };
    Ok(StateFile { cull, front, depth, stencil: None, blend, logic, mask: Letters(mask(gl)) })
}

fn blend(gl: &Gl) -> Result<Blend, Fault> {
    let equation = |channels: &str| -> Result<Equation, Fault> {
        let key = |which| format!("glBlendFuncSeparate.{which}factor{channels}");
        Ok(Equation {
            source: named(gl.text(&key("s"), "GL_ONE"))?,
            target: named(gl.text(&key("d"), "GL_ZERO"))?,
            operator: named(gl.text("glBlendEquation.mode", "GL_FUNC_ADD"))?,
        })
    };
    let constant = gl.four("glBlendColor", ["red", "green", "blue", "alpha"], 0.0)?;
    let constant = to_color(constant).to_le_bytes();
    Ok(Blend { color: equation("RGB")?, alpha: equation("Alpha")?, constant })
}

/// The viewport within scissors and target, and what makes of clip space of GL's viewport that of this one. None if
/// nothing is within.
pub(super) fn window(gl: &Gl, size: [u32; 2]) -> Result<Option<(Viewport, Matrix)>, Fault> {
    let viewport = gl.rectangle("glViewport", size)?;
    let scissors = match gl.has("GL_SCISSOR_TEST") {
        true => gl.rectangle("glScissor", size)?,
        false => [0, 0, size[0].into(), size[1].into()],
    };
    let mut matrix = [[0.0; 4], [0.0; 4], [0.0, 0.0, 0.5, 0.5], [0.0, 0.0, 0.0, 1.0]];
    let mut sides = [[0; 2]; 2];
    for axis in [0, 1] {
        let ends = |it: [i64; 4]| [it[axis], it[axis].saturating_add(it[axis + 2])];
        let ([v0, v1], [s0, s1]) = (ends(viewport), ends(scissors));
        let (low, high) = (v0.max(s0).max(0), v1.min(s1).min(size[axis].into()));
        if low >= high {
            return Ok(None);
        }
        // y points upwards in GL.
        let sign = if axis == 0 { 1.0 } else { -1.0 };
        let extent = (high - low) as f32;
        matrix[axis][axis] = sign * (v1 - v0) as f32 / extent;
        matrix[axis][3] = sign * (v0 + v1 - low - high) as f32 / extent;
        let first = if axis == 0 { low } else { i64::from(size[1]) - high };
        sides[axis] = [first as u32, (high - low) as u32];
    }
    let [[x, width], [y, height]] = sides;
    Ok(Some((Viewport { x, y, width, height }, matrix)))
}

/// The colour of all vertices: with lighting, which is without lights.
pub(super) fn color(gl: &Gl) -> Result<Option<[f32; 4]>, Fault> {
    if !gl.has("GL_LIGHTING") {
        return Ok(None);
    }
    if gl.has("GL_COLOR_MATERIAL") {
        return refused("GL_COLOR_MATERIAL with GL_LIGHTING");
    }
    let emission = gl.numbers("GL_EMISSION", [0.0, 0.0, 0.0, 1.0])?;
    let ambient = gl.numbers("GL_AMBIENT", [0.2, 0.2, 0.2, 1.0])?;
    let around = gl.numbers("GL_LIGHT_MODEL_AMBIENT", [0.2, 0.2, 0.2, 1.0])?;
    let diffuse = gl.numbers("GL_DIFFUSE", [0.8, 0.8, 0.8, 1.0])?;
    let lit = |at: usize| emission[at] + ambient[at] * around[at];
    Ok(Some([lit(0), lit(1), lit(2), diffuse[3]]))
}

/// The alpha test; none if everything passes.
pub(super) fn alpha_test(gl: &Gl) -> Result<Option<Function>, Fault> {
    let function = named(gl.text("glAlphaFunc.func", "GL_ALWAYS"))?;
    Ok(Some(function).filter(|it| gl.has("GL_ALPHA_TEST") && *it != Function::Always))
}

/// The shaders' uniforms, in the order of `fixed.cu`.
pub(super) fn uniforms(
    gl: &Gl,
    window: &Matrix,
    texture: Option<&Texture>,
) -> Result<Vec<f32>, Fault> {
    let [model, projection, of_texture] = gl.matrices.tops();
    if of_texture[3] != [0.0, 0.0, 0.0, 1.0] {
        return refused("a texture matrix with perspective");
    }
    let clip = times(window, &times(&projection, &model));
    let function = alpha_test(gl)?.unwrap_or(Function::Always);
    let passes = [0, 1, 2].map(|alpha| f32::from(u8::from(function.passes(alpha, 1))));
    let uses = uses(gl, texture.map(|it| it.has_alpha))?.map(|it| f32::from(u8::from(it)));
    let rows = clip.iter().chain(&model[..3]).chain(&of_texture[..2]).flatten().copied();
    let reference = gl.number("glAlphaFunc.ref", 0.0)?;
    let bounds = texture.map_or(Ok([[0.0; 2]; 2]), Texture::bounds)?;
    let test = passes.into_iter().chain([reference]).chain(bounds.into_iter().flatten());
    Ok(rows.chain(uses).chain(fog(gl)?).chain(test).collect())
}

/// Factors of a combination: the texture's colour, its alpha, the vertex's colour, its alpha.
fn uses(gl: &Gl, has_alpha: Option<bool>) -> Result<[bool; 4], Fault> {
    let Some(has_alpha) = has_alpha else { return Ok([false, false, true, true]) };
    match gl.text("GL_TEXTURE_ENV_MODE", "GL_MODULATE") {
        "GL_MODULATE" => Ok([true; 4]),
        "GL_REPLACE" => Ok([true, has_alpha, false, !has_alpha]),
        "GL_COMBINE" => {
            let ([a, b], [c, d]) = (combined(gl, "RGB", "COLOR")?, combined(gl, "ALPHA", "ALPHA")?);
            Ok([a, c, b, d])
        }
        other => refused(format!("GL_TEXTURE_ENV_MODE = {other}")),
    }
}

/// Texture and vertex as factors of a combination.
fn combined(gl: &Gl, which: &str, operand: &str) -> Result<[bool; 2], Fault> {
    let count = match gl.text(&format!("GL_COMBINE_{which}"), "GL_MODULATE") {
        "GL_REPLACE" => 1,
        "GL_MODULATE" => 2,
        other => return refused(format!("GL_COMBINE_{which} = {other}")),
    };
    let mut factors = [false; 2];
    for at in 0..count {
        let key = format!("GL_SRC{at}_{which}");
        let source = gl.text(&key, ["GL_TEXTURE", "GL_PREVIOUS"][at]);
        let factor = match source {
            "GL_TEXTURE" => 0,
            "GL_PREVIOUS" | "GL_PRIMARY_COLOR" => 1,
            other => return refused(format!("{key} = {other}")),
        };
        let (key, plain) = (format!("GL_OPERAND{at}_{which}"), format!("GL_SRC_{operand}"));
        if std::mem::replace(&mut factors[factor], true) || gl.text(&key, &plain) != plain {
            return refused(format!("{key}, or {source} twice"));
        }
    }
    Ok(factors)
}

/// Mode, whether distances are from the eye, scale and offset of distances, colour.
fn fog(gl: &Gl) -> Result<[f32; 8], Fault> {
    if !gl.has("GL_FOG") {
        return Ok([0.0; 8]);
    }
    let is_radial = match gl.text("GL_FOG_DISTANCE_MODE_NV", "GL_EYE_PLANE_ABSOLUTE_NV") {
        "GL_EYE_RADIAL_NV" => 1.0,
        "GL_EYE_PLANE_ABSOLUTE_NV" => 0.0,
        other => return refused(format!("GL_FOG_DISTANCE_MODE_NV = {other}")),
    };
    let density = gl.number("GL_FOG_DENSITY", 1.0)?;
    let [start, end] = [gl.number("GL_FOG_START", 0.0)?, gl.number("GL_FOG_END", 1.0)?];
    let log2e = std::f32::consts::LOG2_E;
    let [mode, scale, offset] = match gl.text("GL_FOG_MODE", "GL_EXP") {
        "GL_LINEAR" => [1.0, -1.0 / (end - start), end / (end - start)],
        "GL_EXP" => [2.0, density * log2e, 0.0],
        "GL_EXP2" => [3.0, density * log2e.sqrt(), 0.0],
        other => return refused(format!("GL_FOG_MODE = {other}")),
    };
    let [red, green, blue, alpha] = gl.numbers("GL_FOG_COLOR", [0.0; 4])?;
    Ok([mode, is_radial, scale, offset, red, green, blue, alpha])
}
