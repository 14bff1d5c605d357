//! The registers of a warp: for each register a row of 32 lanes, so that one instruction is one
//! loop that the compiler turns into vector instructions.

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

/// Where the registers of a frame begin.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Window {
    predicates: usize,
    narrow: usize,
    wide: usize,
}

/// The register files of a warp.
#[derive(Debug, Clone, Default)]
pub(super) struct Registers {
    window: Window,
    predicates: Vec<u32>,
    narrow: Vec<Lanes<u32>>,
    wide: Vec<Lanes<u64>>,
}

/// A word that a register holds in a lane.
pub(super) trait Word: Copy + Default {
    fn row<'a>(registers: &'a Registers, image: &'a Image, source: Source) -> &'a Lanes<Self>;
    fn row_mut(registers: &mut Registers, target: Target) -> &mut Lanes<Self>;
}

macro_rules! word {
    ($ty:ty, $file:ident) => {
        impl Word for $ty {
            #[inline]
            fn row<'a>(from: &'a Registers, image: &'a Image, source: Source) -> &'a Lanes<$ty> {
                match source.as_constant() {
                    Some(index) => &image.$file[index],
                    None => &from.$file[from.window.$file + source.index()],
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
    /// Room for a frame after all others; gives the window of the frame before.
    pub(super) fn enter(&mut self, count: RegisterCount) -> Window {
        let before = self.window;
        self.window = Window {
            predicates: self.predicates.len(),
            narrow: self.narrow.len(),
            wide: self.wide.len(),
        };
        let Window { predicates, narrow, wide } = self.window;
        self.predicates.resize(predicates + count.predicates as usize, 0);
        self.narrow.resize(narrow + count.narrow as usize, [0; LANES]);
        self.wide.resize(wide + count.wide as usize, [0; LANES]);
        before
    }

    /// Gives up all frames.
    pub(super) fn clear(&mut self) {
        self.window = Window::default();
        self.predicates.clear();
        self.narrow.clear();
        self.wide.clear();
    }

    /// Gives up the last frame, back to the window of the one before.
    pub(super) fn leave(&mut self, before: Window) {
        self.predicates.truncate(self.window.predicates);
        self.narrow.truncate(self.window.narrow);
        self.wide.truncate(self.window.wide);
        self.window = before;
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

    /// Visits the bytes of all registers of some lanes.
    pub(super) fn for_each(&self, lanes: u32, mut visit: impl FnMut(&[u8])) {
        self.predicates.iter().for_each(|row| visit(&(row & lanes).to_le_bytes()));
        for lane in lanes_of(lanes) {
            self.narrow.iter().for_each(|row| visit(&row[lane].to_le_bytes()));
            self.wide.iter().for_each(|row| visit(&row[lane].to_le_bytes()));
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
        match source.as_constant() {
            Some(index) => image.narrow[index][0],
            None => self.predicates[self.window.predicates + source.index()],
        }
    }

    /// A predicate with its negation.
    #[inline]
    pub(super) fn condition(&self, image: &Image, condition: Condition) -> u32 {
        let bits = self.predicate(image, condition.predicate);
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
        match source.file {
            File::Wide => *u64::row(self, image, source.source),
            _ => u32::row(self, image, source.source).map(u64::from),
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
