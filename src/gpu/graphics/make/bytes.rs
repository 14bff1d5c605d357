//! Buffers and images of a glTF model, checked before they are read.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use gltf::accessor::{Accessor, DataType, Dimensions};
use gltf::buffer::Source;
use gltf::{Document, Primitive, Semantic, image};

/// An image: width, height, RGBA.
pub(super) type Image = ([u32; 2], Vec<u8>);

/// The contents of a URI, which is data or a file beside the model.
fn contents(uri: &str, folder: &Path) -> Result<Vec<u8>, String> {
    if let Some(data) = uri.strip_prefix("data:") {
        let (_, text) = data.split_once(";base64,").ok_or("a data URI that is not base64")?;
        return STANDARD.decode(text).map_err(|error| format!("a data URI: {error}"));
    }
    if uri.contains("://") {
        return Err(format!("{uri}: files beside the model are accepted"));
    }
    // What URIs escape most.
    let path = folder.join(uri.replace("%20", " "));
    std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The buffers of a model.
pub(super) fn buffers(
    document: &Document,
    mut blob: Option<Vec<u8>>,
    folder: &Path,
) -> Result<Vec<Vec<u8>>, String> {
    let buffer = |buffer: gltf::Buffer<'_>| {
        let name = format!("buffer {}", buffer.index());
        let bytes = match buffer.source() {
            Source::Bin => blob.take().ok_or("the file has no binary part".to_string()),
            Source::Uri(uri) => contents(uri, folder),
        };
        let bytes = bytes.map_err(|what| format!("{name}: {what}"))?;
        match bytes.len() >= buffer.length() {
            true => Ok(bytes),
            false => Err(format!("{name} has {} bytes of {}", bytes.len(), buffer.length())),
        }
    };
    document.buffers().map(buffer).collect()
}

/// Refuses accessors that reach beyond their buffers.
pub(super) fn check(document: &Document, buffers: &[Vec<u8>]) -> Result<(), String> {
    for view in document.views() {
        let (buffer, end) = (view.buffer().index(), view.offset().checked_add(view.length()));
        let most = buffers[buffer].len();
        if end.is_none_or(|end| end > most) {
            let number = view.index();
            return Err(format!("buffer view {number} is beyond the end of buffer {buffer}"));
        }
    }
    document.accessors().try_for_each(|accessor| check_accessor(&accessor))
}

fn check_accessor(accessor: &Accessor<'_>) -> Result<(), String> {
    let number = accessor.index();
    if accessor.sparse().is_some() {
        return Err(format!("accessor {number} is sparse: plain ones are accepted"));
    }
    if accessor.count() == 0 {
        return Err(format!("accessor {number} has no elements"));
    }
    let view = accessor.view().ok_or(format!("accessor {number} has no buffer view"))?;
    let stride = view.stride().unwrap_or(accessor.size());
    let last = (accessor.count() - 1).saturating_mul(stride);
    let end = last.saturating_add(accessor.offset()).saturating_add(accessor.size());
    match end <= view.length() {
        true => Ok(()),
        false => Err(format!("accessor {number} is beyond the end of its buffer view")),
    }
}

/// Refuses attributes and indices of types that glTF does not give them.
pub(super) fn check_types(primitive: &Primitive<'_>) -> Result<(), String> {
    use DataType::{F32, U8, U16, U32};
    let is = |accessor: &Accessor<'_>, dimensions, types: &[DataType]| {
        accessor.dimensions() == dimensions && types.contains(&accessor.data_type())
    };
    for (semantic, accessor) in primitive.attributes() {
        let fits = match semantic {
            Semantic::Positions | Semantic::Normals => is(&accessor, Dimensions::Vec3, &[F32]),
            Semantic::TexCoords(0) => is(&accessor, Dimensions::Vec2, &[F32, U8, U16]),
            _ => true,
        };
        if !fits {
            let (number, kind) = (accessor.index(), semantic.to_string());
            return Err(format!("accessor {number} has another type than glTF gives {kind}"));
        }
    }
    match primitive.indices() {
        Some(it) if !is(&it, Dimensions::Scalar, &[U8, U16, U32]) => {
            Err(format!("accessor {}: indices are unsigned integers", it.index()))
        }
        _ => Ok(()),
    }
}

/// An image as RGBA; None if it is no PNG.
pub(super) fn image(
    source: &image::Source<'_>,
    buffers: &[Vec<u8>],
    folder: &Path,
) -> Result<Option<Image>, String> {
    let bytes = match source {
        image::Source::View { view, .. } => {
            let bytes = &buffers[view.buffer().index()];
            bytes[view.offset()..view.offset() + view.length()].to_vec()
        }
        image::Source::Uri { uri, .. } => contents(uri, folder)?,
    };
    if !bytes.starts_with(b"\x89PNG") {
        return Ok(None);
    }
    decoded(&bytes).map(Some).map_err(|error| error.to_string())
}

fn decoded(bytes: &[u8]) -> Result<Image, png::DecodingError> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info()?;
    let mut raw = vec![0; reader.output_buffer_size().unwrap_or(0)];
    let info = reader.next_frame(&mut raw)?;
    let channels = info.color_type.samples();
    let rgba = raw[..info.buffer_size()].chunks_exact(channels).flat_map(|texel| match *texel {
        [gray] => [gray, gray, gray, 255],
        [gray, alpha] => [gray, gray, gray, alpha],
        [red, green, blue] => [red, green, blue, 255],
        [red, green, blue, alpha, ..] => [red, green, blue, alpha],
        [] => [0; 4],
    });
    Ok(([info.width, info.height], rgba.collect()))
}
