//! Handles of textures and surfaces, and addresses within surfaces.

use std::sync::Arc;

use super::access::{Access, lanes_of};
use super::problem::Problem;
use super::registers::{Image, LANES};
use super::warp::{Surroundings, Warp};
use crate::isa::{Beyond, Lookup, LookupKind, Query, Source, Target};
use crate::texture::{Object, Objects};

/// The object of a handle.
fn object<'o>(
    handle: u64,
    image: &Image,
    objects: &'o Objects,
) -> Result<&'o Arc<Object>, Problem> {
    objects.get(&handle).ok_or_else(|| {
        let reference = image.program.references.iter().find(|it| it.handle == handle);
        Problem::NoObject(match reference {
            Some(reference) => reference.name.clone(),
            None => format!("handle {handle:#x}"),
        })
    })
}

/// Refuses what an object is not.
fn check(object: &Object, lookup: &Lookup) -> Result<(), Problem> {
    let gives = if object.gives_floats() { ".f32" } else { ".u32 and .s32" };
    let what = match lookup.kind {
        LookupKind::Bytes(_) if !object.is_surface => "is a texture: tex is accepted".to_string(),
        LookupKind::Texel { .. } | LookupKind::Gather { .. } if object.is_surface => {
            "is a surface: suld, sust and sured are accepted".to_string()
        }
        _ if object.geometry != lookup.geometry => {
            format!("is .{}, and not .{}", object.geometry, lookup.geometry)
        }
        LookupKind::Texel { floats, .. } | LookupKind::Gather { floats, .. }
            if floats != object.gives_floats() =>
        {
            format!("gives {gives}")
        }
        _ => return Ok(()),
    };
    Err(Problem::Object { name: object.name.clone(), what })
}

/// The address of some bytes at coordinates; none outside of the surface.
fn place(object: &Object, lookup: &Lookup, at: [u32; 3], layer: u32, bytes: u32) -> Option<u64> {
    let last = object.row_bytes().checked_sub(bytes.into())?;
    let [_, height, depth] = object.size.map(u64::from);
    let ends = [last, height - 1, depth - 1, u64::from(object.layers) - 1];
    let is_clamped = lookup.kind == LookupKind::Bytes(Beyond::Clamp);
    let mut place = [0; 4];
    for (axis, place) in place.iter_mut().enumerate() {
        let wanted = match axis {
            3 => i64::from(layer),
            axis if axis < usize::from(lookup.geometry.axes) => (at[axis] as i32).into(),
            _ => 0,
        };
        let within = wanted.clamp(0, ends[axis] as i64);
        if within != wanted && !is_clamped {
            return None;
        }
        *place = within as u64;
    }
    let [x, y, z, layer] = place;
    Some(object.row([y, z], layer as u32) + x)
}

impl Warp {
    /// The object of the first lane, and the lanes that have the same. The addresses of the access are handles.
    pub(super) fn object<'o>(
        &self,
        lookup: &Lookup,
        image: &Image,
        objects: &'o Objects,
        access: &Access,
    ) -> Result<(&'o Arc<Object>, u32), (usize, Problem)> {
        let first = access.mask.trailing_zeros() as usize % LANES;
        let handle = access.addresses[first];
        let object = object(handle, image, objects).map_err(|problem| (first, problem))?;
        check(object, lookup).map_err(|problem| (first, problem))?;
        let same = access.lanes().filter(|lane| access.addresses[*lane] == handle);
        Ok((object, same.fold(0, |lanes, lane| lanes | 1 << lane)))
    }

    /// Puts addresses in the place of handles, in the lanes that have that of the first; of these, the ones whose bytes
    /// no surface has.
    pub(super) fn on_surface(
        &self,
        lookup: &Lookup,
        image: &Image,
        objects: &Objects,
        access: &mut Access,
    ) -> Result<u32, (usize, Problem)> {
        let (object, lanes) = self.object(lookup, image, objects, access)?;
        access.mask = lanes;
        let bytes = access.bytes();
        let row = |source| self.row::<u32>(image, source);
        let at = lookup.at.map(row);
        let layers = lookup.layer.map_or(&[0; LANES], row);
        let mut outside = 0;
        for lane in lanes_of(lanes) {
            let at = at.map(|row| row[lane]);
            match place(object, lookup, at, layers[lane], bytes) {
                Some(address) => access.addresses[lane] = address,
                None if lookup.kind == LookupKind::Bytes(Beyond::Zero) => {
                    outside |= 1 << lane;
                }
                None => {
                    let (row, [_, height, depth]) = (object.row_bytes(), object.size);
                    let at = at.map(|at| at as i32);
                    let at = &at[..usize::from(lookup.geometry.axes)];
                    let what = format!(
                        "has {height} rows of {row} bytes, depth {depth}, layers {}: {bytes} bytes at {at:?} of \
                         layer {} are outside",
                        object.layers, layers[lane]
                    );
                    return Err((lane, Problem::Object { name: object.name.clone(), what }));
                }
            }
        }
        Ok(outside)
    }

    /// `txq`, `suq`
    pub(super) fn query(
        &mut self,
        query: Query,
        d: Target,
        handle: Source,
        mask: u32,
        around: Surroundings,
    ) -> Result<(), Problem> {
        let handles = *self.row::<u64>(around.image, handle);
        let mut answers = [0; LANES];
        for lane in lanes_of(mask) {
            answers[lane] = object(handles[lane], around.image, around.objects)?.answer(query);
        }
        self.registers.write(d, mask, &answers);
        Ok(())
    }
}
