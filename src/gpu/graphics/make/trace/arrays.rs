//! Arrays of vertices, and indices.

use super::call::{Call, Fault, Pointer, refused};
use super::gl::Gl;
use crate::graphics::Topology;

/// Floats of a vertex: position, colour, texture coordinates.
pub(super) const FLOATS: u32 = 10;

/// Most indices of a draw.
const MOST_INDICES: usize = 1 << 24;

/// An array, as its pointer says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Array {
    components: usize,
    /// Blue stands first.
    is_bgra: bool,
    is_color: bool,
    ty: String,
    stride: usize,
    pointer: Pointer,
    buffer: usize,
}

impl Array {
    pub(super) fn of(call: &Call<'_>, buffer: usize) -> Result<Self, String> {
        let is_bgra = call.text("size")? == "GL_BGRA";
        let components = if is_bgra { 4 } else { call.count("size")? };
        if !(1..=4).contains(&components) {
            return Err(format!("size = {components}: 1 to 4 is accepted"));
        }
        Ok(Self {
            components,
            is_bgra,
            is_color: call.name == "glColorPointer",
            ty: call.text("type")?.to_string(),
            stride: call.count("stride")?,
            pointer: call.pointer("pointer")?,
            buffer,
        })
    }

    /// Elements from a first one on; what an element does not say is from `default`.
    fn read<const N: usize>(
        &self,
        gl: &Gl,
        [first, count]: [usize; 2],
        default: [f32; N],
    ) -> Result<Vec<[f32; N]>, Fault> {
        let bytes = gl.bytes(&self.pointer, self.buffer)?;
        let (size, component): (usize, fn(&[u8]) -> f32) = match (&*self.ty, self.is_color) {
            ("GL_FLOAT", _) => (4, |it| it.try_into().map_or(0.0, f32::from_le_bytes)),
            ("GL_SHORT", false) => {
                (2, |it| it.try_into().map_or(0.0, |it| i16::from_le_bytes(it).into()))
            }
            ("GL_UNSIGNED_BYTE", true) => (1, |it| f32::from(it[0]) / 255.0),
            (other, _) => return refused(format!("this array of {other}")),
        };
        let stride = if self.stride == 0 { size * self.components } else { self.stride };
        let element = |at: usize| {
            let start = stride.checked_mul(at)?;
            let element = bytes.get(start..)?.get(..size * self.components)?;
            let mut values = default;
            let components = element.chunks_exact(size).map(component);
            values.iter_mut().zip(components).for_each(|(value, it)| *value = it);
            if self.is_bgra {
                values.swap(0, 2);
            }
            Some(values)
        };
        let elements = (first..first + count).map(|at| {
            element(at).ok_or_else(|| format!("vertex {at} is beyond the end of its array"))
        });
        Ok(elements.collect::<Result<_, _>>()?)
    }
}

/// A draw's vertices and indices.
#[derive(Debug)]
pub(super) struct Mesh {
    pub(super) topology: Topology,
    pub(super) vertices: Vec<f32>,
    pub(super) indices: Vec<u32>,
}

impl Mesh {
    /// Vertices of a draw; the colour is for all, and without one that of the array.
    pub(super) fn of(gl: &Gl, call: &Call<'_>, color: Option<[f32; 4]>) -> Result<Self, Fault> {
        let (topology, mut indices) = assemble(call.text("mode")?, indices(gl, call)?)?;
        let first = indices.iter().min().copied().unwrap_or(0);
        let end = indices.iter().max().map_or(first, |most| most.saturating_add(1));
        indices.iter_mut().for_each(|index| *index -= first);
        let range = [first as usize, (end - first) as usize];
        let array = |name: &str| gl.arrays.get(name).filter(|_| gl.has(array_of(name)));
        let Some(positions) = array("glVertexPointer") else {
            return refused("no array of vertices");
        };
        let positions = positions.read(gl, range, [0.0, 0.0, 0.0, 1.0])?;
        let colors = match (array("glColorPointer"), color) {
            (Some(array), None) => array.read(gl, range, [0.0, 0.0, 0.0, 1.0])?,
            _ => vec![color.unwrap_or(gl.color); range[1]],
        };
        let coordinates = match array("glTexCoordPointer") {
            Some(array) if array.components < 4 => array.read(gl, range, [0.0; 2])?,
            Some(_) => return refused("texture coordinates of four components"),
            None => vec![[0.0; 2]; range[1]],
        };
        let vertices = positions.iter().zip(&colors).zip(&coordinates);
        let vertices = vertices.flat_map(|((position, color), coordinates)| {
            position.iter().chain(color).chain(coordinates).copied()
        });
        Ok(Self { topology, vertices: vertices.collect(), indices })
    }
}

fn array_of(pointer: &str) -> &'static str {
    match pointer {
        "glVertexPointer" => "GL_VERTEX_ARRAY",
        "glColorPointer" => "GL_COLOR_ARRAY",
        _ => "GL_TEXTURE_COORD_ARRAY",
    }
}

fn indices(gl: &Gl, call: &Call<'_>) -> Result<Vec<u32>, Fault> {
    let count = call.count("count")?;
    if count > MOST_INDICES {
        return Err(format!("count = {count}: at most {MOST_INDICES} is accepted").into());
    }
    match call.name {
        "glDrawArrays" => {
            let first = call.count("first")?;
            let index = |at: usize| u32::try_from(first.checked_add(at)?).ok();
            let all = (0..count).map(index).collect::<Option<_>>();
            Ok(all.ok_or_else(|| format!("first = {first}: too great"))?)
        }
        "glDrawElements" | "glDrawRangeElements" => {
            let pointer = call.pointer("indices")?;
            let bytes = gl.bytes(&pointer, gl.buffer_at("GL_ELEMENT_ARRAY_BUFFER"))?;
            let size = match call.text("type")? {
                "GL_UNSIGNED_BYTE" => 1,
                "GL_UNSIGNED_SHORT" => 2,
                "GL_UNSIGNED_INT" => 4,
                other => return Err(format!("type = {other}: no type of indices").into()),
            };
            let bytes =
                bytes.get(..count * size).ok_or("fewer indices than counted".to_string())?;
            let index =
                |bytes: &[u8]| bytes.iter().rev().fold(0, |sum, it| sum << 8 | u32::from(*it));
            Ok(bytes.chunks_exact(size).map(index).collect())
        }
        _ => refused("a way to draw that is not known"),
    }
}

fn assemble(mode: &str, indices: Vec<u32>) -> Result<(Topology, Vec<u32>), Fault> {
    Ok(match mode {
        "GL_TRIANGLES" => (Topology::Triangles, indices),
        "GL_TRIANGLE_STRIP" | "GL_QUAD_STRIP" => (Topology::Strip, indices),
        "GL_TRIANGLE_FAN" | "GL_POLYGON" => (Topology::Fan, indices),
        "GL_QUADS" => {
            let halves =
                indices.chunks_exact(4).flat_map(|it| [it[0], it[1], it[3], it[1], it[2], it[3]]);
            (Topology::Triangles, halves.collect())
        }
        other => return refused(other),
    })
}
