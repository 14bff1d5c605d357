//! Transparent sub-images of so many bits per channel, as hardware would have them in place of lists of fragments.
//!
//! A pixel of a sub-image says what the draws of a GPU make of a colour d below them: offset + share x d. Both are
//! rounded after every step. Of *over* the share is one minus the alpha that hardware keeps; of an added colour it is
//! one. No more is claimed than that: the picture is near to one GPU's, and depends on the order of composing.

use serde::Serialize;

use crate::graphics::blend::{Blend, Equation, Factor, Operator};

/// Bits of a sub-image's channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Bits {
    /// 8, as the authors' simulator composes.
    #[serde(rename = "8")]
    Eight,
    /// 16.
    #[serde(rename = "16")]
    Sixteen,
}

impl Bits {
    /// Steps of a channel in one step of 255.
    pub fn unit(self) -> u32 {
        match self {
            Self::Eight => 1,
            Self::Sixteen => 257,
        }
    }
}

/// What a channel's equation does to the colour below.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// share x d + offset.
    Adds,
    /// share x d - offset.
    Takes,
    Least,
    Greatest,
}

impl Kind {
    fn of(equation: &Equation, channel: usize) -> Option<Self> {
        let Equation { source, target, operator } = *equation;
        let of_target = |factor| reads(factor, channel);
        let kind = match operator {
            Operator::Min => return Some(Self::Least),
            Operator::Max => return Some(Self::Greatest),
            Operator::Subtract if target == Factor::Zero => Self::Adds,
            Operator::Subtract => return None,
            Operator::Add => Self::Adds,
            Operator::ReverseSubtract => Self::Takes,
        };
        if of_target(target).is_some() {
            return None;
        }
        match of_target(source) {
            None | Some(Reads::Itself) => Some(kind),
            // One minus the source, or zero: all others could be negative shares.
            Some(Reads::OneMinusItself) if kind == Self::Adds => {
                matches!(target, Factor::One | Factor::SrcColor).then_some(kind)
            }
            Some(_) => None,
        }
    }
}

/// How a factor depends on the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// Its own channel.
    Itself,
    OneMinusItself,
    /// Another channel.
    Other,
}

fn reads(factor: Factor, channel: usize) -> Option<Reads> {
    match factor {
        Factor::DstColor => Some(Reads::Itself),
        Factor::OneMinusDstColor => Some(Reads::OneMinusItself),
        Factor::DstAlpha if channel == 3 => Some(Reads::Itself),
        Factor::OneMinusDstAlpha if channel == 3 => Some(Reads::OneMinusItself),
        Factor::SrcAlphaSaturate if channel == 3 => None,
        Factor::DstAlpha | Factor::OneMinusDstAlpha | Factor::SrcAlphaSaturate => {
            Some(Reads::Other)
        }
        _ => None,
    }
}

/// A pixel of a sub-image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pixel {
    offset: [u16; 4],
    share: [u16; 4],
}

/// The blending of a group in sub-images.
#[derive(Debug, Clone, Copy)]
pub struct Rounded {
    blend: Blend,
    kinds: [Kind; 4],
    unit: u32,
}

impl Rounded {
    /// None if a sub-image cannot say what the blending does: the result is no multiple of the colour below with
    /// something added, or a negative one.
    pub fn new(blend: &Blend, bits: Bits) -> Option<Self> {
        let [color, alpha] = [blend.color, blend.alpha];
        let kind = |channel| Kind::of(if channel == 3 { &alpha } else { &color }, channel);
        let kinds = [kind(0)?, kind(1)?, kind(2)?, kind(3)?];
        Some(Self { blend: *blend, kinds, unit: bits.unit() })
    }

    fn most(&self) -> u32 {
        255 * self.unit
    }

    /// A product of two channels, and more to be added to it, rounded to nearest.
    fn rounded(&self, product: u64) -> u16 {
        let most = u64::from(self.most());
        ((product + most / 2) / most).min(most) as u16
    }

    /// Nothing was drawn.
    pub fn empty(&self) -> Pixel {
        let most = self.most() as u16;
        Pixel {
            offset: self.kinds.map(|kind| if kind == Kind::Least { most } else { 0 }),
            share: [most; 4],
        }
    }

    /// A fragment is drawn.
    pub fn draw(&self, pixel: &mut Pixel, color: u32) {
        let source = color.to_le_bytes();
        for (channel, kind) in self.kinds.into_iter().enumerate() {
            let scaled = |byte: i32| u64::from(byte as u32 * self.unit);
            let own = scaled(source[channel].into());
            let (offset, share) = (u64::from(pixel.offset[channel]), pixel.share[channel]);
            match kind {
                Kind::Least => pixel.offset[channel] = offset.min(own) as u16,
                Kind::Greatest => pixel.offset[channel] = offset.max(own) as u16,
                Kind::Adds | Kind::Takes => {
                    let [factor, keeps] = self.factors(channel, source, own);
                    pixel.offset[channel] = self.rounded(own * factor + offset * keeps);
                    pixel.share[channel] = self.rounded(u64::from(share) * keeps);
                }
            }
        }
    }

    /// The factor of the source, and the share that is kept of what is below.
    fn factors(&self, channel: usize, source: [u8; 4], own: u64) -> [u64; 2] {
        let equation = if channel == 3 { &self.blend.alpha } else { &self.blend.color };
        let most = u64::from(self.most());
        let of = |factor: Factor| {
            let byte = factor.of(channel, source, [0; 4], self.blend.constant);
            u64::from(byte as u32 * self.unit)
        };
        let takes = self.kinds[channel] == Kind::Takes;
        let target = of(equation.target);
        match reads(equation.source, channel) {
            Some(Reads::Itself) if takes => [0, target.saturating_sub(own)],
            Some(Reads::Itself) => [0, (target + own).min(most)],
            Some(_) => [most, target - own],
            None => [of(equation.source), target],
        }
    }

    /// A sub-image over another one that was drawn before.
    pub fn over(&self, upper: &Pixel, lower: &Pixel) -> Pixel {
        let mut made = *lower;
        for (channel, kind) in self.kinds.into_iter().enumerate() {
            let [above, below] = [upper, lower].map(|it| u64::from(it.offset[channel]));
            let [keeps, share] = [upper, lower].map(|it| u64::from(it.share[channel]));
            made.offset[channel] = match kind {
                Kind::Least => above.min(below) as u16,
                Kind::Greatest => above.max(below) as u16,
                _ => self.rounded(above * u64::from(self.most()) + keeps * below),
            };
            made.share[channel] = self.rounded(keeps * share);
        }
        made
    }

    /// The colour of the target after the sub-image.
    pub fn onto(&self, pixel: &Pixel, target: u32) -> u32 {
        let target = target.to_le_bytes();
        let most = u64::from(self.most());
        u32::from_le_bytes(std::array::from_fn(|channel| {
            let below = u64::from(u32::from(target[channel]) * self.unit);
            let [offset, share] = [pixel.offset[channel], pixel.share[channel]].map(u64::from);
            let value = match self.kinds[channel] {
                Kind::Least => offset.min(below),
                Kind::Greatest => offset.max(below),
                Kind::Adds => self.rounded(share * below + offset * most).into(),
                Kind::Takes => self.rounded((share * below).saturating_sub(offset * most)).into(),
            };
            ((value + u64::from(self.unit) / 2) / u64::from(self.unit)) as u8
        }))
    }

    /// A step between one GPU's colour and this one's is within what roundings can make, for `layers` fragments of
    /// `gpus` GPUs drawn by *over*; None for other operators. Each of one GPU's roundings makes half a step, and so does
    /// the last one here. Before it a sub-image has an error of half a unit for each fragment, in offset and share, and
    /// composing adds half a unit, and to the offset the upper share's error:
    /// layers / 2 + 1 / 2 + (gpus + 1) (layers + gpus) / 2 units.
    pub fn is_within(&self, step: u8, layers: u64, gpus: u64) -> Option<bool> {
        let unit = u64::from(self.unit);
        let most = unit * (layers + 1) + (gpus + 1) * (layers + gpus);
        let is_over = |equation: &Equation, own: Factor| {
            let Equation { source, target, operator } = *equation;
            // Alpha times one and the rest of the target: never more than one, too.
            let is_share = source == Factor::SrcAlpha || source == own;
            is_share && target == Factor::OneMinusSrcAlpha && operator == Operator::Add
        };
        let Blend { color, alpha, .. } = &self.blend;
        let is_over = is_over(color, Factor::SrcAlpha) && is_over(alpha, Factor::One);
        is_over.then_some(2 * unit * u64::from(step) <= most)
    }
}
