//! Matrices that the lanes of a warp hold together.

use super::access::Access;
use super::alu::Directed;
use super::problem::Problem;
use super::registers::{LANES, Lanes};
use super::tensor::{Factor, sum};
use super::warp::{Surroundings, Warp};
use crate::isa::{
    Element, Fragment, Logic, MatrixAddress, MatrixForm, MatrixRows, Rounding, Source, SourceIn,
    Target, TensorCore,
};

impl Warp {
    /// `mma` and `wmma.mma`
    pub(super) fn multiply(
        &mut self,
        form: &MatrixForm,
        mask: u32,
        around: Surroundings,
    ) -> Result<(), Problem> {
        self.all_lanes(mask, around)?;
        let [a, b, c, d] = form.fragments;
        let columns = match &form.sparsity {
            Some(sparsity) => Some(self.columns_of_sparse(sparsity, a, around)?),
            None => None,
        };
        let [m, n, k] = a.shape.map(|side| side as usize);
        let mut result = [[0u64; LANES]; 8];
        for matrix in 0..a.matrices() {
            let [a, b, c] = [(a, 0), (b, 1), (c, 2)]
                .map(|(fragment, at)| self.elements(fragment, &form.sources[at], matrix, around));
            let matrices = Matrices { a, b, c, sides: [m, n, k], columns: columns.as_deref() };
            let product = match form.fragments[0].element {
                Element::F64 => doubles(form, &matrices),
                element if element.is_integer() => integers(form, &matrices),
                _ => floats(form, around.image.program.tensor_core, &matrices),
            };
            scatter(d, matrix, &product, &mut result);
        }
        let (file, _) = d.element.in_register();
        for (target, values) in form.targets.iter().zip(&result) {
            self.write_both(file, *target, mask, values);
        }
        Ok(())
    }

    /// `movmatrix`
    pub(super) fn transpose(
        &mut self,
        d: Target,
        a: Source,
        mask: u32,
        around: Surroundings,
    ) -> Result<(), Problem> {
        self.all_lanes(mask, around)?;
        let held = *self.row::<u32>(around.image, a);
        let half =
            |row: usize, column: usize| held[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff;
        let turned: Lanes<u32> = std::array::from_fn(|lane| {
            let (row, column) = (lane / 4, lane % 4 * 2);
            half(column, row) | half(column + 1, row) << 16
        });
        self.registers.write(d, mask, &turned);
        Ok(())
    }

    /// All lanes must be here: each holds a part.
    pub(super) fn all_lanes(&self, here: u32, around: Surroundings) -> Result<(), Problem> {
        if here == u32::MAX {
            return Ok(());
        }
        self.go_past(Problem::LanesElsewhere { members: u32::MAX, here }, here, around)
    }

    /// The elements of a matrix, by rows.
    fn elements(
        &self,
        fragment: Fragment,
        registers: &[Source],
        matrix: u32,
        around: Surroundings,
    ) -> Vec<u64> {
        let [rows, columns] = fragment.dimensions();
        let mut all = vec![0; (rows * columns) as usize];
        let bits = fragment.element.bits();
        let (file, in_register) = fragment.element.in_register();
        let ones = u64::MAX >> (64 - bits);
        for (register, source) in registers.iter().enumerate() {
            let values = self.registers.read_any(around.image, SourceIn { file, source: *source });
            for lane in (0..32).filter(|lane| fragment.matrix_of(*lane) == matrix) {
                for part in 0..in_register {
                    let at = register as u32 * in_register + part;
                    let [row, column] = fragment.place(lane, at);
                    let value = values[lane as usize] >> (part * bits) & ones;
                    all[(row * columns + column) as usize] = value;
                }
            }
        }
        all
    }

    /// The address of an element of each lane.
    pub(super) fn matrix_address(&mut self, form: &MatrixAddress, mask: u32, around: Surroundings) {
        let [rows, columns] = form.fragment.dimensions();
        let natural = if form.by_column { rows } else { columns };
        let stride = form.stride.map_or([natural; LANES], |it| *self.row::<u32>(around.image, it));
        let base = form.base.map_or([0; LANES], |it| *self.row::<u64>(around.image, it));
        let addresses: Lanes<u64> = std::array::from_fn(|lane| {
            let [row, column] = form.fragment.place(lane as u32, form.at).map(u64::from);
            let (outer, inner) = if form.by_column { (column, row) } else { (row, column) };
            let element = outer * u64::from(stride[lane]) + inner;
            let bytes = element * u64::from(form.fragment.element.bits()) / 8;
            base[lane].wrapping_add(form.offset).wrapping_add(bytes)
        });
        self.registers.write(form.d, mask, &addresses);
    }
}

/// Puts a matrix by rows into the registers of the lanes.
fn scatter(fragment: Fragment, matrix: u32, all: &[u64], into: &mut [Lanes<u64>; 8]) {
    let [_, columns] = fragment.dimensions();
    let bits = fragment.element.bits();
    let (_, in_register) = fragment.element.in_register();
    for (register, values) in into.iter_mut().enumerate().take(fragment.registers()) {
        for lane in (0..32).filter(|lane| fragment.matrix_of(*lane) == matrix) {
            for part in 0..in_register {
                let [row, column] = fragment.place(lane, register as u32 * in_register + part);
                let value = all[(row * columns + column) as usize];
                values[lane as usize] |= value << (part * bits);
            }
        }
    }
}

/// Factors and addends of a product, by rows.
struct Matrices<'a> {
    a: Vec<u64>,
    b: Vec<u64>,
    c: Vec<u64>,
    /// Rows and columns of the result, and columns of `a` that are held.
    sides: [usize; 3],
    /// Their columns, where `a` is sparse.
    columns: Option<&'a [usize]>,
}

impl Matrices<'_> {
    /// Places in `a` and `b` of the factors of an element of the result, in order of the columns of `a`.
    fn factors(&self, at: usize) -> impl Iterator<Item = [usize; 2]> {
        let [_, n, k] = self.sides;
        let (row, column) = (at / n, at % n);
        (0..k).map(move |step| {
            let held = row * k + step;
            [held, self.columns.map_or(step, |columns| columns[held]) * n + column]
        })
    }

    /// The result, of which each element is made of one of `c`.
    fn product(&self, element: impl FnMut((usize, &u64)) -> u64) -> Vec<u64> {
        self.c.iter().enumerate().map(element).collect()
    }
}

fn floats(form: &MatrixForm, core: TensorCore, matrices: &Matrices) -> Vec<u64> {
    let [of_a, of_b, of_c, of_d] = form.fragments.map(|fragment| fragment.element);
    let factors = |element: Element, all: &[u64]| -> Vec<Factor> {
        all.iter().map(|bits| Factor::of(element, *bits as u32)).collect()
    };
    let (a, b) = (factors(of_a, &matrices.a), factors(of_b, &matrices.b));
    let mut pairs = Vec::with_capacity(matrices.sides[2]);
    matrices.product(|(at, c)| {
        pairs.clear();
        pairs.extend(matrices.factors(at).map(|[at, by]| [a[at], b[by]]));
        sum(core, Factor::of(of_c, *c as u32), &pairs, of_d, of_a).into()
    })
}

/// Fused multiply-adds one after the other, in the order of the columns of `A`.
fn doubles(form: &MatrixForm, matrices: &Matrices) -> Vec<u64> {
    let value = |all: &[u64], at: usize| f64::from_bits(all[at]);
    matrices.product(|(at, c)| {
        let sum = matrices.factors(at).fold(f64::from_bits(*c), |sum, [at, by]| {
            let (a, b) = (value(&matrices.a, at), value(&matrices.b, by));
            match form.rounding {
                Rounding::Nearest => a.mul_add(b, sum),
                rounding => f64::fused(a, b, sum, rounding),
            }
        });
        if sum.is_nan() { f64::NAN.to_bits() } else { sum.to_bits() }
    })
}

fn integers(form: &MatrixForm, matrices: &Matrices) -> Vec<u64> {
    let value = |fragment: Fragment, bits: u64| match fragment.element {
        Element::S8 => i64::from(bits as i8),
        Element::S4 => i64::from((bits as i8) << 4 >> 4),
        _ => bits as i64,
    };
    let [of_a, of_b, _, _] = form.fragments;
    matrices.product(|(at, c)| {
        let products = matrices.factors(at).map(|[at, by]| {
            let (a, b) = (value(of_a, matrices.a[at]), value(of_b, matrices.b[by]));
            match (of_a.element, form.logic) {
                (Element::B1, Logic::Xor) => a ^ b,
                _ => a * b,
            }
        });
        let total = products.sum::<i64>() + i64::from(*c as i32);
        let kept = match form.saturate {
            true => total.clamp(i32::MIN.into(), i32::MAX.into()),
            false => total,
        };
        u64::from(kept as u32)
    })
}

/// Hands what some lanes of `ldmatrix` have loaded, a row each, to the registers of all.
pub(super) fn distribute(load: MatrixRows, access: &mut Access) {
    let rows = access.data;
    let half = |row: usize, column: usize| rows[column / 2][row] >> (column % 2 * 16) & 0xffff;
    for matrix in 0..load.matrices as usize {
        access.data[matrix] = std::array::from_fn(|lane| {
            let (major, minor) = (lane / 4, lane % 4 * 2);
            let [low, high] = match load.transposed {
                false => [half(matrix * 8 + major, minor), half(matrix * 8 + major, minor + 1)],
                true => [half(matrix * 8 + minor, major), half(matrix * 8 + minor + 1, major)],
            };
            low | high << 16
        });
    }
}

/// Gives each lane of `stmatrix` the row that it stores, out of the registers of all.
pub(super) fn collect(rows: MatrixRows, access: &mut Access) {
    let held = access.data;
    let half = |matrix: usize, row: usize, column: usize| {
        let [major, minor] = if rows.transposed { [column, row] } else { [row, column] };
        held[matrix][major * 4 + minor / 2] >> (minor % 2 * 16) & 0xffff
    };
    for lane in 0..8 * rows.matrices as usize {
        for word in 0..4 {
            let [low, high] = [0, 1].map(|part| half(lane / 8, lane % 8, 2 * word + part));
            access.data[word][lane] = low | high << 16;
        }
    }
}
