//! The registers of a warp: for each register a row of 32 lanes, so that one instruction is one
//! loop that the compiler turns into vector instructions.

use std::ops::Range;

use super::access::lanes_of;
use crate::isa::{Condition, File, Program, RegisterCount, Source, SourceIn, Target};
use crate::isa::{TargetIn, Type};

/// Lanes of a warp.
pub const LANES: usize = 32;

/// One value a lane.
pub type Lanes<T> = [T; LANES];

/// A program with its constants spread over the lanes.
#[derive(Debug)]
pub struct Image {
    /// The program.
    pub program: Program,
    narrow: Vec<Lanes<u32>>,
    wide: Vec<Lanes<u64>>,
}

impl Image {
    /// Prepares a program for running.
    pub fn new(program: Program) -> Self {
        let narrow = program.narrow_constants.iter().map(|value| [*value; LANES]).collect();
        let wide = program.wide_constants.iter().map(|value| [*value; LANES]).collect();
        Self { program, narrow, wide }
    }
}

/// Rows where the registers of a frame begin.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Window {
    predicates: usize,
    narrow: usize,
    wide: usize,
}

/// The register files of a warp. Lanes at different places may have frames in the same rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Registers {
    /// That of the frame that runs.
    pub(super) window: Window,
    predicates: Vec<u32>,
    narrow: Vec<Lanes<u32>>,
    wide: Vec<Lanes<u64>>,
}

/// A word that a register holds in a lane.
pub(super) trait Word: Copy + Default {
    #[inline]
    fn row<'a>(registers: &'a Registers, image: &'a Image, source: Source) -> &'a Lanes<Self> {
        Self::row_in(registers.window, registers, image, source)
    }

    fn row_in<'a>(
        window: Window,
        registers: &'a Registers,
        image: &'a Image,
        source: Source,
    ) -> &'a Lanes<Self>;

    fn row_mut(registers: &mut Registers, target: Target) -> &mut Lanes<Self>;
}

macro_rules! word {
    ($ty:ty, $file:ident) => {
        impl Word for $ty {
            #[inline]
            fn row_in<'a>(
                window: Window,
                from: &'a Registers,
                image: &'a Image,
                source: Source,
            ) -> &'a Lanes<$ty> {
                match source.as_constant() {
                    Some(index) => &image.$file[index],
                    None => &from.$file[window.$file + source.index()],
                }
            }

            #[inline]
            fn row_mut(registers: &mut Registers, target: Target) -> &mut Lanes<$ty> {
                &mut registers.$file[registers.window.$file + target.0 as usize]
            }
        }
    };
}

word!(u32, narrow);
word!(u64, wide);

impl Registers {
    /// The lanes enter a frame, with registers that are zero; gives its end.
    pub(super) fn enter(&mut self, from: Window, count: RegisterCount, lanes: u32) -> Window {
        let end = Window {
            predicates: from.predicates + count.predicates as usize,
            narrow: from.narrow + count.narrow as usize,
            wide: from.wide + count.wide as usize,
        };
        self.window = from;
        let predicates = rows(&mut self.predicates, from.predicates..end.predicates, 0);
        predicates.iter_mut().for_each(|row| *row &= !lanes);
        let narrow = rows(&mut self.narrow, from.narrow..end.narrow, [0; LANES]);
        narrow.iter_mut().for_each(|row| clear(row, lanes));
        let wide = rows(&mut self.wide, from.wide..end.wide, [0; LANES]);
        wide.iter_mut().for_each(|row| clear(row, lanes));
        end
    }

    /// Runs an action with another register window: the lanes of an answer may have given way to others.
    #[inline]
    pub(super) fn within(&mut self, window: Window, action: impl FnOnce(&mut Self)) {
        let running = std::mem::replace(&mut self.window, window);
        action(self);
        self.window = running;
    }

    /// Gives up all frames.
    pub(super) fn clear(&mut self) {
        self.window = Window::default();
        self.predicates.clear();
        self.narrow.clear();
        self.wide.clear();
    }

    /// Takes some lanes of all registers back to what they were.
    pub(super) fn restore(&mut self, from: &Self, lanes: u32) {
        for (row, old) in self.predicates.iter_mut().zip(&from.predicates) {
            *row = *row & !lanes | *old & lanes;
        }
        for lane in lanes_of(lanes) {
            let narrow = self.narrow.iter_mut().zip(&from.narrow);
            narrow.for_each(|(row, old)| row[lane] = old[lane]);
            let wide = self.wide.iter_mut().zip(&from.wide);
            wide.for_each(|(row, old)| row[lane] = old[lane]);
        }
    }

    /// Visits the bytes of all registers before an end, of some lanes.
    pub(super) fn for_each(&self, end: Window, lanes: u32, mut visit: impl FnMut(&[u8])) {
        let predicates = self.predicates[..end.predicates].iter();
        predicates.for_each(|row| visit(&(row & lanes).to_le_bytes()));
        for lane in lanes_of(lanes) {
            let narrow = self.narrow[..end.narrow].iter();
            narrow.for_each(|row| visit(&row[lane].to_le_bytes()));
            let wide = self.wide[..end.wide].iter();
            wide.for_each(|row| visit(&row[lane].to_le_bytes()));
        }
    }

    /// Writes the lanes of the mask.
    #[inline]
    pub(super) fn write<W: Word>(&mut self, target: Target, mask: u32, values: &Lanes<W>) {
        let row = W::row_mut(self, target);
        if mask == u32::MAX {
            *row = *values;
            return;
        }
        for lane in 0..LANES {
            row[lane] = if mask & 1 << lane != 0 { values[lane] } else { row[lane] };
        }
    }

    /// A predicate, one bit a lane.
    #[inline]
    pub(super) fn predicate(&self, image: &Image, source: Source) -> u32 {
        self.predicate_in(self.window, image, source)
    }

    #[inline]
    fn predicate_in(&self, window: Window, image: &Image, source: Source) -> u32 {
        match source.as_constant() {
            Some(index) => image.narrow[index][0],
            None => self.predicates[window.predicates + source.index()],
        }
    }

    /// A predicate with its negation.
    #[inline]
    pub(super) fn condition(&self, image: &Image, condition: Condition) -> u32 {
        self.condition_in(self.window, image, condition)
    }

    /// [`Registers::condition`] of the frame at a window.
    #[inline]
    pub(super) fn condition_in(&self, window: Window, image: &Image, condition: Condition) -> u32 {
        let bits = self.predicate_in(window, image, condition.predicate);
        if condition.negated { !bits } else { bits }
    }

    /// Writes the lanes of the mask of a predicate.
    #[inline]
    pub(super) fn write_predicate(&mut self, target: Target, mask: u32, bits: u32) {
        let place = &mut self.predicates[self.window.predicates + target.0 as usize];
        *place = *place & !mask | bits & mask;
    }

    /// The value of a register of either file in each lane.
    pub(super) fn read_any(&self, image: &Image, source: SourceIn) -> Lanes<u64> {
        self.read_any_in(self.window, image, source)
    }

    /// [`Registers::read_any`] of the frame at a window.
    pub(super) fn read_any_in(&self, window: Window, image: &Image, from: SourceIn) -> Lanes<u64> {
        match from.file {
            File::Wide => *u64::row_in(window, self, image, from.source),
            _ => u32::row_in(window, self, image, from.source).map(u64::from),
        }
    }

    /// Writes values of a type to a register that may be wider, extended as the type says.
    pub(super) fn write_any(&mut self, to: TargetIn, ty: Type, mask: u32, values: &mut Lanes<u64>) {
        if ty.bytes < to.bytes {
            extend(ty, values);
        }
        match (to.file, to.bytes.max(ty.bytes)) {
            (File::Wide, _) => self.write(to.target, mask, values),
            (File::Predicate, _) => {
                let bits =
                    (0..LANES).fold(0, |bits, lane| bits | (values[lane] as u32 & 1) << lane);
                self.write_predicate(to.target, mask, bits);
            }
            (_, 1) => self.write(to.target, mask, &values.map(|value| u32::from(value as u8))),
            (_, 2) => self.write(to.target, mask, &values.map(|value| u32::from(value as u16))),
            (..) => self.write(to.target, mask, &values.map(|value| value as u32)),
        }
    }
}

/// Rows of a file, which grows to have them.
fn rows<T: Clone>(file: &mut Vec<T>, range: Range<usize>, zero: T) -> &mut [T] {
    if file.len() < range.end {
        file.resize(range.end, zero);
    }
    &mut file[range]
}

/// Makes some lanes of a row zero.
fn clear<T: Copy + Default>(row: &mut Lanes<T>, lanes: u32) {
    for (lane, value) in row.iter_mut().enumerate() {
        *value = if lanes & 1 << lane != 0 { T::default() } else { *value };
    }
}

/// Extends values of a type to 64 bits: with the sign for signed types, with zeros for others.
#[inline]
pub(super) fn extend(ty: Type, values: &mut Lanes<u64>) {
    let extension: fn(u64) -> u64 = match (ty.is_signed(), ty.bytes) {
        (true, 1) => |value| value as i8 as u64,
        (true, 2) => |value| value as i16 as u64,
        (true, 4) => |value| value as i32 as u64,
        (false, 1) => |value| u64::from(value as u8),
        (false, 2) => |value| u64::from(value as u16),
        (false, 4) => |value| u64::from(value as u32),
        _ => return,
    };
    values.iter_mut().for_each(|value| *value = extension(*value));
}
