//! Frames of glTF 2.0 models: the meshes of the default scene, lit from above, with the base colours of their materials.

use std::collections::BTreeMap;
use std::path::Path;

use gltf::material::AlphaMode;
use gltf::mesh::Mode;
use gltf::texture::WrappingMode;
use gltf::{Gltf, Material, Node, Primitive, camera::Projection};

use super::bytes;
use super::camera::{
    Matrix, UNIT, apply, cross, inverse_of_rigid, look, minus, mirrors, of_columns, orthographic,
    perspective, times, unit,
};
use super::maker::{Made, Maker};
use crate::graphics::frame::file::{DrawFile, StateFile};
use crate::graphics::{Blend, DepthTest, Facing, Filter, Function, Sampler, Topology, Wrap};

/// Shaders of lit, textured models.
const LIT: (&str, &str) = ("lit.ptx", include_str!("../../../../tests/frames/lit.ptx"));
/// Floats of a vertex: position, normal, texture coordinates.
const FLOATS: u32 = 8;
/// The texture of materials without one.
const WHITE: &str = "white";

/// A primitive in the world.
struct Part {
    topology: Topology,
    vertices: Vec<f32>,
    indices: Vec<u32>,
    /// Index of its material; none for the default one.
    material: Option<usize>,
    alpha: AlphaMode,
    is_double_sided: bool,
}

/// Reads a model.
struct Reader<'a> {
    buffers: &'a [Vec<u8>],
    parts: Vec<Part>,
    /// Of each node.
    visited: Vec<bool>,
    /// From the world to clip space, if the scene has a camera.
    camera: Option<Matrix>,
    aspect: f32,
    /// Least and greatest coordinates.
    extent: [[f32; 3]; 2],
}

/// Makes a frame of a model; what was left out.
///
/// # Errors
/// If the file is malformed, or has what is not drawn: points, lines, sparse accessors.
pub fn model(path: &Path, size: [u32; 2]) -> Result<(Made, Vec<String>), String> {
    let told = |what: String| format!("{}: {what}", path.display());
    let folder = path.parent().unwrap_or(Path::new("."));
    let bytes = std::fs::read(path).map_err(|error| told(error.to_string()))?;
    let Gltf { document, blob } =
        Gltf::from_slice(&bytes).map_err(|error| told(format!("no glTF 2.0 model: {error}")))?;
    let buffers = bytes::buffers(&document, blob, folder).map_err(told)?;
    bytes::check(&document, &buffers).map_err(told)?;
    let mut reader = Reader {
        buffers: &buffers,
        parts: Vec::new(),
        visited: vec![false; document.nodes().count()],
        camera: None,
        aspect: size[0] as f32 / size[1] as f32,
        extent: [[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]],
    };
    let scene = document.default_scene().or_else(|| document.scenes().next());
    let scene = scene.ok_or_else(|| told("no scene".to_string()))?;
    scene.nodes().try_for_each(|node| reader.node(&node, &UNIT)).map_err(told)?;
    if reader.parts.is_empty() {
        return Err(told("the scene has no triangles".to_string()));
    }
    let stem = path.file_stem().map_or("model".into(), |stem| stem.to_string_lossy());
    let mut maker = Maker::new(&stem);
    let left_out = textures(&document, &buffers, folder, &mut maker).map_err(told)?;
    reader.draw(&document, size, &mut maker);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok((maker.finish(&format!("The model {name}"))?, left_out))
}

/// Textures of base colours, named by the material's number; those that are left out.
fn textures(
    document: &gltf::Document,
    buffers: &[Vec<u8>],
    folder: &Path,
    maker: &mut Maker,
) -> Result<Vec<String>, String> {
    let bilinear = |wrap| Sampler { filter: Filter::Linear, wrap };
    maker.texture(WHITE, [1; 2], &[255; 4], bilinear(Wrap::Repeat), true);
    let mut left_out = Vec::new();
    for material in document.materials() {
        let (Some(number), Some(info)) =
            (material.index(), material.pbr_metallic_roughness().base_color_texture())
        else {
            continue;
        };
        let image = info.texture().source();
        let told = |what: String| format!("image {}: {what}", image.index());
        match bytes::image(&image.source(), buffers, folder).map_err(told)? {
            Some((size, texels)) => {
                let wraps = info.texture().sampler().wrap_s() != WrappingMode::ClampToEdge;
                let wrap = if wraps { Wrap::Repeat } else { Wrap::Clamp };
                maker.texture(&name(Some(number)), size, &texels, bilinear(wrap), true);
            }
            None => {
                left_out.push(format!("image {}: no PNG, white in its place", image.index()));
                maker.texture(&name(Some(number)), [1; 2], &[255; 4], bilinear(Wrap::Repeat), true);
            }
        }
    }
    Ok(left_out)
}

fn name(material: Option<usize>) -> String {
    material.map_or("default".to_string(), |number| format!("material{number}"))
}

impl Reader<'_> {
    fn node(&mut self, node: &Node<'_>, above: &Matrix) -> Result<(), String> {
        if std::mem::replace(&mut self.visited[node.index()], true) {
            return Err(format!("node {} has two parents, or is its own ancestor", node.index()));
        }
        let place = times(above, &of_columns(node.transform().matrix()));
        if let (Some(camera), None) = (node.camera(), self.camera) {
            let projection = projection(&camera, self.aspect);
            self.camera = Some(times(&projection, &inverse_of_rigid(&place)));
        }
        for primitive in node.mesh().iter().flat_map(|mesh| mesh.primitives()) {
            let mesh = node.mesh().map_or(0, |mesh| mesh.index());
            let told = |what| format!("mesh {mesh}, primitive {}: {what}", primitive.index());
            self.primitive(&primitive, &place).map_err(told)?;
        }
        node.children().try_for_each(|child| self.node(&child, &place))
    }

    fn primitive(&mut self, primitive: &Primitive<'_>, place: &Matrix) -> Result<(), String> {
        let topology = match primitive.mode() {
            Mode::Triangles => Topology::Triangles,
            Mode::TriangleStrip => Topology::Strip,
            Mode::TriangleFan => Topology::Fan,
            other => {
                return Err(format!(
                    "{other:?}: Triangles, TriangleStrip, TriangleFan are accepted"
                ));
            }
        };
        bytes::check_types(primitive)?;
        let reader = primitive.reader(|buffer| Some(&self.buffers[buffer.index()]));
        let positions: Vec<_> = reader.read_positions().ok_or("no positions")?.collect();
        let count = positions.len();
        let mut indices: Vec<u32> = match reader.read_indices() {
            Some(indices) => indices.into_u32().collect(),
            None => (0..count as u32).collect(),
        };
        if let Some(index) = indices.iter().find(|index| **index as usize >= count) {
            return Err(format!("index {index}: there are {count} vertices"));
        }
        let normals = match reader.read_normals() {
            Some(normals) => normals.collect(),
            None => normals_of(&positions, &indices),
        };
        let places = reader.read_tex_coords(0).map(|it| it.into_f32().collect::<Vec<_>>());
        if topology == Topology::Triangles && mirrors(place) {
            indices.chunks_exact_mut(3).for_each(|triangle| triangle.swap(1, 2));
        }
        let mut vertices = Vec::with_capacity(count * FLOATS as usize);
        for (at, position) in positions.iter().enumerate() {
            let position = apply(place, *position, 1.0);
            let normal = normals.get(at).copied().unwrap_or([0.0, 1.0, 0.0]);
            vertices.extend(position);
            vertices.extend(unit(apply(place, normal, 0.0)));
            vertices.extend(places.as_ref().and_then(|it| it.get(at).copied()).unwrap_or_default());
            for (axis, value) in position.into_iter().enumerate() {
                self.extent[0][axis] = self.extent[0][axis].min(value);
                self.extent[1][axis] = self.extent[1][axis].max(value);
            }
        }
        let material = primitive.material();
        self.parts.push(Part {
            topology,
            vertices,
            indices,
            material: material.index(),
            alpha: material.alpha_mode(),
            is_double_sided: material.double_sided(),
        });
        Ok(())
    }

    /// The scene's camera, or one that sees all of it from above and aside.
    fn camera(&self) -> Matrix {
        if let Some(camera) = self.camera {
            return camera;
        }
        let [low, high] = self.extent;
        let middle: [f32; 3] = std::array::from_fn(|at| (low[at] + high[at]) / 2.0);
        let half = minus(high, middle);
        let radius = (half.iter().map(|it| it * it).sum::<f32>().sqrt()).max(1e-6);
        let (away, angle) = (unit([0.6, 0.5, 0.8]), 0.7);
        let distance = radius / libm::sinf(angle / 2.0) / self.aspect.min(1.0);
        let eye: [f32; 3] = std::array::from_fn(|at| middle[at] + away[at] * distance);
        let near = (distance - 1.1 * radius).max(distance / 1000.0);
        let projection = perspective(angle, self.aspect, near, distance + 1.1 * radius);
        times(&projection, &look(eye, middle))
    }

    fn draw(&self, document: &gltf::Document, size: [u32; 2], maker: &mut Maker) {
        maker.target("screen", size);
        maker.shader("lit", LIT, ["lit_vertex", "lit_fragment"], 5);
        maker.shader("cut", LIT, ["lit_vertex", "cut_fragment"], 5);
        let camera = self.camera();
        let by_number: BTreeMap<_, _> = document.materials().map(|it| (it.index(), it)).collect();
        let mut used: Vec<_> = self.parts.iter().map(|part| part.material).collect();
        used.sort_unstable();
        used.dedup();
        for number in used {
            maker.floats(&name(number), None, &uniforms(&camera, by_number.get(&number)));
        }
        for (alpha, faces) in [AlphaMode::Opaque, AlphaMode::Mask, AlphaMode::Blend]
            .into_iter()
            .flat_map(|alpha| [false, true].map(|faces| (alpha, faces)))
        {
            maker.state(&state_of(alpha, faces).0, state_of(alpha, faces).1);
        }
        maker.begin("screen", [60, 70, 90, 255]);
        for (at, part) in self.parts.iter().enumerate() {
            maker.floats(&format!("vertices{at}"), Some(FLOATS), &part.vertices);
            maker.indices(&format!("indices{at}"), &part.indices);
        }
        // What is transparent is drawn over all others.
        let is_transparent = |part: &Part| part.alpha == AlphaMode::Blend;
        for last in [false, true] {
            let parts = self.parts.iter().enumerate();
            for (at, part) in parts.filter(|(_, part)| is_transparent(part) == last) {
                let textured = part.material.and_then(|it| by_number.get(&Some(it)));
                maker.draw(part.command(at, textured));
            }
        }
    }
}

impl Part {
    fn command(&self, at: usize, material: Option<&Material<'_>>) -> DrawFile {
        let textured =
            material.is_some_and(|it| it.pbr_metallic_roughness().base_color_texture().is_some());
        let shader = if self.alpha == AlphaMode::Mask { "cut" } else { "lit" };
        DrawFile {
            shader: shader.to_string(),
            state: Some(state_of(self.alpha, self.is_double_sided).0),
            topology: self.topology,
            vertices: vec![format!("vertices{at}")],
            indices: Some(format!("indices{at}")),
            uniforms: vec![name(self.material)],
            textures: vec![if textured { name(self.material) } else { WHITE.to_string() }],
            ..DrawFile::default()
        }
    }
}

fn state_of(alpha: AlphaMode, is_double_sided: bool) -> (String, StateFile) {
    let cull = if is_double_sided { Facing::None } else { Facing::Back };
    let depth = Some(DepthTest { test: Function::Less, write: alpha != AlphaMode::Blend });
    let blend = (alpha == AlphaMode::Blend).then_some(Blend::OVER);
    let name = format!("{alpha:?}{}", if is_double_sided { "_both" } else { "" });
    (name.to_lowercase(), StateFile { cull, depth, blend, ..StateFile::default() })
}

/// What the shaders take: matrix, light, ambient share, tint.
fn uniforms(camera: &Matrix, material: Option<&Material<'_>>) -> Vec<f32> {
    let mut tint = material.map_or([1.0; 4], |it| it.pbr_metallic_roughness().base_color_factor());
    if material.is_none_or(|it| it.alpha_mode() != AlphaMode::Blend) {
        tint[3] = 1.0;
    }
    let light = unit([0.3, 0.8, 0.5]);
    camera.iter().flatten().copied().chain(light).chain([0.35]).chain(tint).collect()
}

fn projection(camera: &gltf::Camera<'_>, aspect: f32) -> Matrix {
    match camera.projection() {
        Projection::Perspective(it) => {
            let near = it.znear();
            perspective(it.yfov(), aspect, near, it.zfar().unwrap_or(near * 10_000.0))
        }
        Projection::Orthographic(it) => orthographic([it.xmag(), it.ymag()], it.znear(), it.zfar()),
    }
}

/// Normals of vertices: the sums of those of their triangles, by area.
fn normals_of(positions: &[[f32; 3]], indices: &[u32]) -> Vec<[f32; 3]> {
    let mut normals = vec![[0.0; 3]; positions.len()];
    for triangle in indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|at| positions[triangle[at] as usize]);
        let normal = cross(minus(b, a), minus(c, a));
        for index in triangle {
            let sum = &mut normals[*index as usize];
            *sum = std::array::from_fn(|at| sum[at] + normal[at]);
        }
    }
    normals.into_iter().map(unit).collect()
}
