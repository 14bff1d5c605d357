//! Video instructions, on the parts of words (`vadd4`) and on one of them (`vadd`).

use super::super::layout::Trouble;
use super::super::types::Type;
use super::super::written::{Operand, Written};
use super::body::Body;
use super::compare::comparison;
use super::operands::{Lowered, U32};
use crate::isa::{
    Bits3, Comparison, Operation, ScalarOp, ScalarVideo, Secondary, Source, Video, VideoOp,
    WordPart,
};

/// Comparisons of `vset`.
const COMPARISONS: [&str; 6] = ["eq", "ne", "lt", "le", "gt", "ge"];

impl Body<'_, '_> {
    /// `vadd4`, `vabsdiff2`, `vset4` and the like.
    pub(super) fn video(&mut self, written: &Written) -> Lowered {
        let (name, parts) = written.opcode.split_at(written.opcode.len() - 1);
        let parts = if parts == "2" { 2 } else { 4 };
        let op = operation(name, written)?;
        written.only(&[&["sat", "add"][..], &COMPARISONS].concat())?;
        let [d_signed, a_signed, b_signed] = signs(written, op)?;
        let [saturate, accumulate] = ["sat", "add"].map(|name| written.has(name));
        let mut video = Video {
            d_signed,
            a_signed,
            b_signed,
            saturate,
            accumulate,
            ..Video::plain(op, parts, false)
        };
        let (d, mask) = selected(written.operand(0)?);
        if let Some(mask) = mask {
            video.mask = places(mask, parts, 1)?.iter().fold(0, |mask, part| mask | 1 << part);
        }
        let mut sources = [Source::register(0); 2];
        for (at, source) in sources.iter_mut().enumerate() {
            let (operand, picked) = selected(written.operand(at + 1)?);
            *source = self.source(&operand, U32)?;
            if let Some(picked) = picked {
                let picked = places(picked, parts, 2)?;
                if picked.len() != usize::from(parts) {
                    return Err(format!("{parts} parts of the operands are to be picked"));
                }
                // The name begins with the highest part.
                for (into, part) in video.picked[at].iter_mut().zip(picked.iter().rev()) {
                    *into = *part;
                }
            }
        }
        let [a, b] = sources;
        let c = self.source(written.operand(3)?, U32)?;
        let d = self.target(&d, U32)?;
        Ok(Operation::Bits3 { op: Bits3::Video(video), d, abc: [a, b, c] })
    }

    /// `vadd`, `vmad`, `vset` and the like.
    pub(super) fn scalar_video(&mut self, written: &Written) -> Lowered {
        let op = match written.opcode {
            "vmad" => multiplication(written)?,
            "vshl" | "vshr" if written.has("wrap") || written.has("clamp") => {
                ScalarOp::Shift { left: written.opcode == "vshl", wrap: written.has("wrap") }
            }
            "vshl" | "vshr" => return Err(".clamp or .wrap is missing".into()),
            name => ScalarOp::Of(operation(name, written)?),
        };
        let others = ["sat", "add", "min", "max", "po", "shr7", "shr15", "clamp", "wrap"];
        written.only(&[&others[..], &COMPARISONS].concat())?;
        let as_op = if let ScalarOp::Of(op) = op { op } else { VideoOp::Add };
        let [d_signed, a_signed, b_signed] = signs(written, as_op)?;
        let (d, of_d) = selected(written.operand(0)?);
        let (a, of_a) = selected(unsigned(written.operand(1)?).0);
        let (b, of_b) = selected(unsigned(written.operand(2)?).0);
        let part = |name: Option<&str>| match name {
            Some(name) => WordPart::named(name)
                .ok_or_else(|| format!("part {name}: b0 to b3, h0 and h1 are accepted")),
            None => Ok(WordPart::WHOLE),
        };
        let secondary = match of_d {
            Some(_) => Secondary::Merge(part(of_d)?),
            None if written.has("add") => Secondary::Add,
            None if written.has("min") => Secondary::Min,
            None if written.has("max") => Secondary::Max,
            None => Secondary::None,
        };
        let has_c = secondary != Secondary::None || matches!(op, ScalarOp::Multiply { .. });
        let [a, b] = [self.source(&a, U32)?, self.source(&b, U32)?];
        let c = if has_c { self.source(unsigned(written.operand(3)?).0, U32)? } else { b };
        let video = ScalarVideo {
            op,
            d_signed,
            a_signed,
            b_signed,
            a: part(of_a)?,
            b: part(of_b)?,
            saturate: written.has("sat"),
            secondary,
        };
        let d = self.target(&d, U32)?;
        Ok(Operation::Bits3 { op: Bits3::ScalarVideo(video), d, abc: [a, b, c] })
    }
}

/// The operation of an instruction by its name.
fn operation(name: &str, written: &Written) -> Result<VideoOp, Trouble> {
    Ok(match name {
        "vadd" => VideoOp::Add,
        "vsub" => VideoOp::Sub,
        "vavrg" => VideoOp::Average,
        "vabsdiff" => VideoOp::AbsDifference,
        "vmin" => VideoOp::Min,
        "vmax" => VideoOp::Max,
        _ => {
            let name = written.modifiers.iter().find(|name| COMPARISONS.contains(name));
            VideoOp::Set(name.and_then(|name| comparison(name)).unwrap_or(Comparison::Eq))
        }
    })
}

/// Whether the result and the two operands are signed; a comparison names no type of its result.
fn signs(written: &Written, op: VideoOp) -> Result<[bool; 3], Trouble> {
    let types = written.modifiers.iter().filter_map(|name| Type::named(name));
    let types: Vec<_> = types.map(|ty| (ty.bytes == 4).then(|| ty.is_signed())).collect();
    match (op, &types[..]) {
        (VideoOp::Set(_), [Some(a), Some(b)]) => Ok([false, *a, *b]),
        (VideoOp::Set(_), _) => Err("two types are wanted, each u32 or s32".into()),
        (_, [Some(d), Some(a), Some(b)]) => Ok([*d, *a, *b]),
        _ => Err("three types are wanted, each u32 or s32".into()),
    }
}

/// The operation of `vmad`, with the signs before its operands.
fn multiplication(written: &Written) -> Result<ScalarOp, Trouble> {
    let [a, b, c] = [1, 2, 3].map(|at| written.operand(at).map(|operand| unsigned(operand).1));
    let (minus_product, minus_c, plus_one) = (a? != b?, c?, written.has("po"));
    if minus_product && minus_c || plus_one && (minus_product || minus_c) {
        return Err("the product or c may be negative, and neither with .po".into());
    }
    let scale = match () {
        () if written.has("shr7") => 7,
        () if written.has("shr15") => 15,
        () => 0,
    };
    Ok(ScalarOp::Multiply { minus_product, minus_c, plus_one, scale })
}

/// An operand without its sign, and whether it has one.
fn unsigned<'a>(operand: &'a Operand<'a>) -> (&'a Operand<'a>, bool) {
    match operand {
        Operand::Negative(operand) => (operand, true),
        operand => (operand, false),
    }
}

/// A register, and the parts of it that are named behind a dot.
fn selected<'a>(operand: &Operand<'a>) -> (Operand<'a>, Option<&'a str>) {
    match operand {
        Operand::Name(name) => match name.rsplit_once('.') {
            Some((register, parts)) => (Operand::Name(register), Some(parts)),
            None => (Operand::Name(name), None),
        },
        operand => (operand.clone(), None),
    }
}

/// The numbers in `h10` or `b3210`, of the parts of so many words.
fn places(name: &str, parts: u8, words: u8) -> Result<Vec<u8>, Trouble> {
    let letter = if parts == 2 { 'h' } else { 'b' };
    let digits = name.strip_prefix(letter).filter(|digits| !digits.is_empty());
    let number = |digit: char| digit.to_digit(10).map(|digit| digit as u8);
    let numbers = digits.and_then(|digits| digits.chars().map(number).collect::<Option<Vec<_>>>());
    numbers.filter(|numbers| numbers.iter().all(|number| *number < parts * words)).ok_or_else(
        || format!("parts {name}: {letter} and numbers below {} are accepted", parts * words),
    )
}
