//! Textures, as calls fill them.

use std::collections::BTreeMap;

use super::call::{Call, Fault, refused};
use crate::graphics::Filter;
use crate::graphics::make::bytes::Image;

/// A texture.
#[derive(Debug, Default)]
pub(super) struct Texture {
    image: Image,
    /// The image has alpha.
    pub(super) has_alpha: bool,
    parameters: BTreeMap<String, String>,
    /// Name in the frame, if it is there as it is now.
    pub(super) name: Option<String>,
}

impl Texture {
    pub(super) fn has_image(&self) -> bool {
        !self.image.1.is_empty()
    }

    /// Size and RGBA.
    pub(super) fn image(&self) -> &Image {
        &self.image
    }

    pub(super) fn set(&mut self, parameter: &str, value: &str) {
        let before = self.parameters.insert(parameter.to_string(), value.to_string());
        if before.is_none_or(|before| before != value) {
            self.name = None;
        }
    }

    /// Takes an image, or a part of one.
    pub(super) fn load(
        &mut self,
        call: &Call<'_>,
        pixels: Option<Vec<u8>>,
        alignment: usize,
    ) -> Result<(), Fault> {
        let [width, height] = [call.count("width")?, call.count("height")?];
        let is_whole = call.name == "glTexImage2D";
        if is_whole {
            if width.max(height) > 1 << 13 {
                return refused(format!("{width}x{height}: sides up to 8192 are accepted"));
            }
            self.has_alpha = match call.text("internalformat")? {
                "GL_RGBA" | "GL_RGBA8" | "4" => true,
                "GL_RGB" | "GL_RGB8" | "3" => false,
                other => return refused(format!("internalformat = {other}: GL_RGB, GL_RGBA")),
            };
            self.image = ([width as u32, height as u32], vec![0; 4 * width * height]);
        }
        self.name = None;
        let order: &[usize] = match (call.text("format")?, call.text("type")?) {
            ("GL_RGBA", "GL_UNSIGNED_BYTE" | "GL_UNSIGNED_INT_8_8_8_8_REV") => &[0, 1, 2, 3],
            ("GL_BGRA", "GL_UNSIGNED_BYTE" | "GL_UNSIGNED_INT_8_8_8_8_REV") => &[2, 1, 0, 3],
            ("GL_RGB", "GL_UNSIGNED_BYTE") => &[0, 1, 2],
            ("GL_BGR", "GL_UNSIGNED_BYTE") => &[2, 1, 0],
            (format, ty) => return refused(format!("texels of {format}, {ty}")),
        };
        let Some(pixels) = pixels else { return Ok(()) };
        let at = |name| if is_whole { Ok(0) } else { call.count(name) };
        let [left, top] = [at("xoffset")?, at("yoffset")?];
        let ([across, down], texels) = &mut self.image;
        let across = *across as usize;
        let fits = |from: usize, size, most| from.checked_add(size).is_some_and(|end| end <= most);
        if !fits(left, width, across) || !fits(top, height, *down as usize) {
            return Err(format!("{width}x{height} at {left}, {top}: beyond the image").into());
        }
        let bytes = width * order.len();
        for row in 0..height {
            let texels = &mut texels[4 * ((top + row) * across + left)..][..4 * width];
            let source = pixels.get(row * bytes.next_multiple_of(alignment)..);
            let source =
                source.and_then(|it| it.get(..bytes)).ok_or("too few bytes".to_string())?;
            for (texel, source) in texels.chunks_exact_mut(4).zip(source.chunks_exact(order.len()))
            {
                texel[3] = 255;
                order.iter().zip(source).for_each(|(channel, byte)| texel[*channel] = *byte);
                texel[3] |= if self.has_alpha { 0 } else { 255 };
            }
        }
        Ok(())
    }

    fn parameter<'a>(&'a self, name: &str, default: &'a str) -> &'a str {
        self.parameters.get(name).map_or(default, String::as_str)
    }

    /// The filter; one for all sizes.
    pub(super) fn filter(&self) -> Result<Filter, Fault> {
        let near = self.parameter("GL_TEXTURE_MAG_FILTER", "GL_LINEAR");
        let far = self.parameter("GL_TEXTURE_MIN_FILTER", "GL_NEAREST_MIPMAP_LINEAR");
        match (far, near) {
            ("GL_NEAREST", "GL_NEAREST") => Ok(Filter::Nearest),
            ("GL_LINEAR", "GL_LINEAR") => Ok(Filter::Linear),
            _ => refused(format!("filters {far} and {near}")),
        }
    }

    /// Least and greatest coordinate of each axis: between the centres of the outermost texels, or all.
    pub(super) fn bounds(&self) -> Result<[[f32; 2]; 2], Fault> {
        let mut bounds = [[f32::MIN; 2], [f32::MAX; 2]];
        for (axis, key) in ["GL_TEXTURE_WRAP_S", "GL_TEXTURE_WRAP_T"].into_iter().enumerate() {
            match self.parameter(key, "GL_REPEAT") {
                "GL_REPEAT" => {}
                "GL_CLAMP_TO_EDGE" => {
                    let half = 0.5 / self.image.0[axis] as f32;
                    (bounds[0][axis], bounds[1][axis]) = (half, 1.0 - half);
                }
                other => return refused(format!("{key} = {other}")),
            }
        }
        Ok(bounds)
    }
}
