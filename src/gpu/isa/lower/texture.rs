//! Textures and surfaces.

use super::super::layout::Trouble;
use super::super::types::{AtomicOp, Space, Type};
use super::super::written::{Operand, Written};
use super::body::Body;
use super::memory::{HINTS, elements};
use super::operands::{F32, Lowered, U32, U64};
use crate::isa::{
    AccessForm, AccessKind, Beyond, Coordinates, Geometry, Lookup, LookupKind, Operation, Order,
    Query, TargetIn,
};

impl Body<'_, '_> {
    /// `tex.2d.v4.f32.f32 {r, g, b, a}, [texture, {x, y}]`, `tld4.r.2d.v4.f32.f32`
    pub(super) fn texture(&mut self, written: &Written) -> Lowered {
        // Textures have one level: what selects others is read and changes nothing.
        let (first, selectors) = match written.modifiers.first() {
            Some(&"base") => (1, 0),
            Some(&"level") => (1, 1),
            Some(&"grad") => (1, 2),
            Some(&("r" | "g" | "b" | "a")) => (1, 0),
            _ => (0, 0),
        };
        let [geometry, "v4", result @ ("u32" | "s32" | "f32"), at @ ("s32" | "f32")] =
            written.modifiers[first..]
        else {
            return Err(".v4 of .u32, .s32 or .f32, at .s32 or .f32, is accepted".into());
        };
        let floats = result == "f32";
        let kind = match (written.opcode, written.modifiers[0], at) {
            ("tld4", "r" | "g" | "b" | "a", "f32") if geometry.ends_with("2d") => {
                let channel = "rgba".find(written.modifiers[0]).unwrap_or_default() as u8;
                LookupKind::Gather { channel, floats }
            }
            ("tld4", ..) => return Err("a channel, .2d or .a2d, and .f32 are accepted".into()),
            (_, "r" | "g" | "b" | "a", _) => return Err("tex takes all channels".into()),
            (.., "s32") => LookupKind::Texel { coordinates: Coordinates::Integers, floats },
            _ => LookupKind::Texel { coordinates: Coordinates::Floats, floats },
        };
        let ty = Type::named(result).unwrap_or(U32);
        let mut form = AccessForm::load(Space::Global, ty);
        let Operand::Vector(targets) = written.operand(0)? else {
            return Err("four registers in braces are expected".into());
        };
        if targets.len() != form.targets.len() {
            return Err(format!("{} registers where 4 are written", targets.len()));
        }
        for (into, operand) in form.targets.iter_mut().zip(targets) {
            if *operand != Operand::Name("_") {
                let target = self.target(operand, ty)?;
                *into = Some(TargetIn { file: ty.file(), target, bytes: 4 });
            }
        }
        form.elements = 4;
        self.place(written.operand(1)?, geometry, kind, &mut form)?;
        for selector in 0..selectors {
            written.operand(2 + selector)?;
        }
        Ok(Operation::Access(Box::new(form)))
    }

    /// `suld.b.2d.v2.b32.clamp {a, b}, [surface, {x, y}]`, `sust`, `sured.b.add`
    pub(super) fn surface(&mut self, written: &Written) -> Lowered {
        if !written.has("b") {
            let name = written.opcode;
            return Err(format!("{name}.p is not supported: {name}.b, which counts bytes, is"));
        }
        let beyond = match written.modifiers.iter().find(|name| BEYOND.contains(name)) {
            Some(&"clamp") => Beyond::Clamp,
            Some(&"zero") => Beyond::Zero,
            _ => Beyond::Trap,
        };
        let is_type = |name: &&&str| Type::named(name).is_some();
        let ty = written.modifiers.iter().find(is_type).ok_or("a type is missing")?;
        let ty = Type::named(ty).filter(|ty| ty.bytes > 0 && !ty.is_float());
        let ty = ty.ok_or("a type of bits or integers is accepted")?;
        let mut form = AccessForm::load(Space::Global, ty);
        let is_load = written.opcode == "suld";
        let moved = written.operand(usize::from(!is_load))?;
        let operands = elements(written, moved)?;
        form.elements = operands.len() as u8;
        let op = written.modifiers.iter().find_map(|name| AtomicOp::named(name));
        match (written.opcode, op) {
            ("suld", None) => {
                for (target, operand) in form.targets.iter_mut().zip(operands) {
                    if *operand != Operand::Name("_") {
                        *target = Some(self.target_in(operand, ty)?);
                    }
                }
            }
            ("sust", None) => form.kind = AccessKind::Store,
            ("sured", Some(op))
                if REDUCTIONS.contains(&op) && ty.bytes >= 4 && operands.len() == 1 =>
            {
                (form.kind, form.order) = (AccessKind::Atomic(op), Order::Relaxed);
            }
            ("sured", _) => {
                return Err("add, min, max, and, or of 32 or 64 bits are accepted".into());
            }
            _ => return Err("an operation is accepted in sured only".into()),
        }
        if !is_load {
            for (source, operand) in form.sources.iter_mut().zip(operands) {
                *source = self.source_in(operand, ty)?;
            }
        }
        let name = written.modifiers.iter().find(|name| Geometry::named(name).is_some());
        let name = name.ok_or("one of .1d, .2d, .3d, .a1d and .a2d is accepted")?;
        let operations = ["b", "add", "min", "max", "and", "or", "v2", "v4", name];
        written.only(&[&HINTS[..], &BEYOND, &operations].concat())?;
        let place = written.operand(usize::from(is_load))?;
        self.place(place, name, LookupKind::Bytes(beyond), &mut form)?;
        Ok(Operation::Access(Box::new(form)))
    }

    /// `[handle or reference, {coordinates}]`
    fn place(
        &mut self,
        operand: &Operand,
        geometry: &str,
        kind: LookupKind,
        form: &mut AccessForm,
    ) -> Result<(), Trouble> {
        let geometry = Geometry::named(geometry).ok_or_else(|| {
            format!(".{geometry} is not supported: .1d, .2d, .3d, .a1d and .a2d are")
        })?;
        let (handle, given) = match operand {
            Operand::List(parts) => match &parts[..] {
                [handle, Operand::Vector(given)] => (handle, &given[..]),
                [handle, one] => (handle, std::slice::from_ref(one)),
                _ => {
                    return Err(
                        "a sampler of its own is not supported: that of the texture is".into()
                    );
                }
            },
            _ => return Err("a texture or surface and coordinates in brackets are expected".into()),
        };
        form.base = Some(self.source(handle, U64)?);
        let (axes, layers) = (usize::from(geometry.axes), usize::from(geometry.is_layered));
        let wanted = axes + layers;
        // Three are padded to four.
        if given.len() != wanted && (wanted, given.len()) != (3, 4) {
            return Err(format!("{} coordinates where .{geometry} has {wanted}", given.len()));
        }
        let layer = match layers {
            0 => None,
            _ => Some(self.source(&given[0], U32)?),
        };
        let ty = match kind {
            LookupKind::Bytes(_) => U32,
            LookupKind::Texel { coordinates: Coordinates::Integers, .. } => U32,
            _ => F32,
        };
        let mut at = [self.source(&given[layers], ty)?; 3];
        for (source, operand) in at.iter_mut().zip(&given[layers..wanted]).skip(1) {
            *source = self.source(operand, ty)?;
        }
        form.lookup = Some(Lookup { kind, geometry, at, layer });
        Ok(())
    }

    /// `txq`, `suq`
    pub(super) fn query(&mut self, written: &Written) -> Lowered {
        let (level, names) = match &written.modifiers[..] {
            ["level", names @ ..] => (1, names),
            names => (0, names),
        };
        let [name, "b32"] = names else {
            return Err("what is asked, and .b32, are accepted".into());
        };
        let query = match *name {
            "width" => Query::Size(0),
            "height" => Query::Size(1),
            "depth" => Query::Size(2),
            "array_size" => Query::Layers,
            "num_mipmap_levels" => Query::Levels,
            "normalized_coords" => Query::Normalized,
            "channel_order" => Query::ChannelOrder,
            "channel_data_type" => Query::ChannelType,
            _ => {
                return Err(format!(
                    ".{name} is not supported: .width, .height, .depth, .array_size, .num_mipmap_levels, \
                     .normalized_coords, .channel_order and .channel_data_type are"
                ));
            }
        };
        let d = self.first(written, U32)?;
        let Operand::Address(handle, 0) = written.operand(1)? else {
            return Err("a texture or surface in brackets is expected".into());
        };
        let handle = self.source(handle, U64)?;
        if level == 1 {
            self.source(written.operand(2)?, U32)?;
        }
        Ok(Operation::Query { query, d, handle })
    }
}

const BEYOND: [&str; 3] = ["trap", "clamp", "zero"];
const REDUCTIONS: [AtomicOp; 5] =
    [AtomicOp::Add, AtomicOp::Min, AtomicOp::Max, AtomicOp::And, AtomicOp::Or];
