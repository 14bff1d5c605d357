//! Matrices that the lanes of a warp hold together: `mma`, `wmma`, `ldmatrix`, `stmatrix`.

use super::kinds::Logic;
use super::operand::{Source, Target};
use super::types::{File, Rounding};

/// Types of the elements of matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in PTX")]
pub enum Element {
    F16,
    Bf16,
    Tf32,
    F32,
    F64,
    E4m3,
    E5m2,
    S8,
    U8,
    S4,
    U4,
    B1,
    S32,
}

impl Element {
    /// The type of that name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "f16" => Self::F16,
            "bf16" => Self::Bf16,
            "tf32" => Self::Tf32,
            "f32" => Self::F32,
            "f64" => Self::F64,
            "e4m3" => Self::E4m3,
            "e5m2" => Self::E5m2,
            "s8" => Self::S8,
            "u8" => Self::U8,
            "s4" => Self::S4,
            "u4" => Self::U4,
            "b1" => Self::B1,
            "s32" => Self::S32,
            _ => return None,
        })
    }

    /// Bits of an element.
    pub fn bits(self) -> u32 {
        match self {
            Self::B1 => 1,
            Self::S4 | Self::U4 => 4,
            Self::S8 | Self::U8 | Self::E4m3 | Self::E5m2 => 8,
            Self::F16 | Self::Bf16 => 16,
            Self::Tf32 | Self::F32 | Self::S32 => 32,
            Self::F64 => 64,
        }
    }

    /// Registers that hold it, and how many are in one of them.
    pub fn in_register(self) -> (File, u32) {
        match self {
            Self::F64 => (File::Wide, 1),
            _ => (File::Narrow, 32 / self.bits()),
        }
    }

    /// Whether it is an integer.
    pub fn is_integer(self) -> bool {
        matches!(self, Self::S8 | Self::U8 | Self::S4 | Self::U4 | Self::B1 | Self::S32)
    }
}

/// What a matrix is in `D = A B + C`. `C` and `D` are held alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as in PTX")]
pub enum Role {
    A,
    B,
    C,
}

/// How the lanes of a warp hold a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment {
    /// What it is.
    pub role: Role,
    /// Rows and columns of `D`, and columns of `A`.
    pub shape: [u32; 3],
    /// Its elements.
    pub element: Element,
    /// `.col`: its columns, not its rows, lie one after the other.
    pub by_column: bool,
    /// Of `wmma`, where PTX leaves it open who holds what.
    pub is_wmma: bool,
}

impl Fragment {
    /// Rows and columns.
    pub fn dimensions(self) -> [u32; 2] {
        let [m, n, k] = self.shape;
        match self.role {
            Role::A => [m, k],
            Role::B => [k, n],
            Role::C => [m, n],
        }
    }

    /// Matrices that a warp holds: `.m8n8k4` of `.f16` is done by each eight of its lanes alone.
    pub fn matrices(self) -> u32 {
        if self.shape == [8, 8, 4] && self.element != Element::F64 { 4 } else { 1 }
    }

    /// Which of its matrices a lane holds a part of.
    pub fn matrix_of(self, lane: u32) -> u32 {
        if self.matrices() == 4 { lane % 16 / 4 } else { 0 }
    }

    /// Elements in a lane that are not there twice.
    pub fn elements(self) -> u32 {
        let [rows, columns] = self.dimensions();
        rows * columns * self.matrices() / 32
    }

    /// Registers in a lane. `wmma` has eight for `.f16`, some of them twice.
    pub fn registers(self) -> usize {
        let twice = self.is_wmma && self.element == Element::F16 && self.role != Role::C;
        if twice { 8 } else { self.elements().div_ceil(self.element.in_register().1) as usize }
    }

    /// Row and column of an element of a lane: PTX ISA 8.0, 9.7.13.4, "Matrix Fragments for mma".
    /// The column of a sparse `A` is that among the elements which are held.
    pub fn place(self, lane: u32, at: u32) -> [u32; 2] {
        if self.is_wmma {
            return self.place_of_wmma(lane, at);
        }
        if self.matrices() == 4 {
            return self.place_of_m8n8k4(lane, at);
        }
        let (_, in_register) = self.element.in_register();
        let (group, member) = (lane / 4, lane % 4);
        let (register, part) = (at / in_register, at % in_register);
        let along = |register: u32| (member + 4 * register) * in_register + part;
        match self.role {
            Role::A if self.shape[0] == 8 => [group, along(register)],
            Role::A => [group + 8 * (register % 2), along(register / 2)],
            Role::B => [along(register), group],
            Role::C => [group + 8 * (at / 2), member * 2 + at % 2],
        }
    }

    /// The same for `.m8n8k4`.
    fn place_of_m8n8k4(self, lane: u32, at: u32) -> [u32; 2] {
        let (member, upper) = (lane % 4, lane / 16 * 4);
        match (self.role, self.by_column) {
            (Role::A, false) => [member + upper, at],
            (Role::A, true) => [at + upper, member],
            (Role::B, false) => [member, at + upper],
            (Role::B, true) => [at, member + upper],
            (Role::C, _) if self.element == Element::F32 => {
                [(member & 1) + (at & 2) + upper, (at & 4) + (member & 2) + (at & 1)]
            }
            (Role::C, _) => [member + upper, at],
        }
    }

    /// Elements in the order of memory, so many to a lane. `C` is taken to lie by rows.
    fn place_of_wmma(self, lane: u32, at: u32) -> [u32; 2] {
        let [rows, columns] = self.dimensions();
        let number = lane * self.elements() + at % self.elements();
        match self.by_column && self.role != Role::C {
            true => [number % rows, number / rows],
            false => [number / columns, number % columns],
        }
    }
}

/// How tensor cores add products.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TensorCore {
    /// Volta: four products and the accumulator at a time, aligned to the greatest exponent and cut off below
    /// the last bit of single precision.
    Volta,
    /// Turing: the same with one bit more.
    Turing,
    /// Ampere: eight products (four of `.tf32`), with one bit more.
    #[default]
    Ampere,
    /// The exact sum, rounded once to nearest.
    Nearest,
}

impl TensorCore {
    /// That of a `.target` such as `sm_80`.
    pub(super) fn of_target(target: &str) -> Self {
        let digits = target.trim_start_matches("sm_").trim_end_matches(char::is_alphabetic);
        match digits.parse::<u32>() {
            Ok(..75) => Self::Volta,
            Ok(75..80) => Self::Turing,
            _ => Self::Ampere,
        }
    }
}

/// `mma` and `wmma.mma`: `D = A B + C`.
#[derive(Debug, Clone)]
pub struct MatrixForm {
    /// `A`, `B`, `C` and `D`.
    pub fragments: [Fragment; 4],
    /// Registers of `A`, `B` and `C`.
    pub sources: [Vec<Source>; 3],
    /// Registers of `D`.
    pub targets: Vec<Target>,
    /// `.satfinite`: sums of integers stay at the greatest and the least one.
    pub saturate: bool,
    /// Rounding of sums of `.f64`.
    pub rounding: Rounding,
    /// Operation on two elements of `.b1`, before those that are set are counted.
    pub logic: Logic,
    /// Places in the `A` of `mma.sp`, which holds half of its columns.
    pub sparsity: Option<Sparsity>,
}

/// Places of the elements that a sparse `A` holds.
#[derive(Debug, Clone, Copy)]
pub struct Sparsity {
    /// Their places, in some lanes of each four.
    pub metadata: Source,
    /// Which lanes.
    pub selector: u32,
    /// `::ordered_metadata`: the places rise.
    pub is_ordered: bool,
    /// Columns of `A`.
    pub columns: u32,
}

impl Sparsity {
    /// Columns of a chunk of `A`, of which half are held: its places take four bits of metadata.
    pub fn chunk(element: Element) -> u32 {
        match element.bits() {
            32 => 2,
            4 => 8,
            _ => 4,
        }
    }

    /// Lanes of each four that have metadata.
    pub fn lanes(element: Element, columns: u32) -> u32 {
        columns / Self::chunk(element) / 4
    }

    /// Lane and lowest bit of the metadata of a chunk in a row: PTX ISA 8.7, 9.7.14.6.2.
    pub fn place(self, element: Element, row: u32, chunk: u32) -> [u32; 2] {
        let (group, upper) = (row % 8 * 4, row / 8);
        let first = group + self.selector * Self::lanes(element, self.columns);
        match element.bits() {
            // A lane has both rows, or else rows take turns.
            16.. => [first + chunk / 4, 16 * upper + 4 * (chunk % 4)],
            _ => [first + upper + 2 * (chunk / 8), 4 * (chunk % 8)],
        }
    }
}

/// Where an element of a lane of a `wmma` fragment lies in memory.
#[derive(Debug, Clone, Copy)]
pub struct MatrixAddress {
    /// The fragment.
    pub fragment: Fragment,
    /// Number of the element.
    pub at: u32,
    /// Address of the matrix: a register, and what is added to it.
    pub base: Option<Source>,
    /// What is added.
    pub offset: u64,
    /// Elements from a row or column to the next; as many as it has if not given.
    pub stride: Option<Source>,
    /// Whether columns, not rows, lie one after the other in memory.
    pub by_column: bool,
    /// The register that takes the address.
    pub d: Target,
}

/// `ldmatrix` and `stmatrix`: some lanes load or store a row of 16 bytes each, which the registers of all hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatrixRows {
    /// Matrices of eight rows of eight elements of 16 bits.
    pub matrices: u32,
    /// `.trans`
    pub transposed: bool,
}
