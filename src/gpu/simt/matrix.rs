//! Matrices that the lanes of a warp hold together.

use super::access::Access;
use super::problem::Problem;
use super::registers::{LANES, Lanes};
use super::tensor::{Factor, sum};
use super::warp::{Surroundings, Warp};
use crate::isa::{Element, Fragment, MatrixAddress, MatrixForm, MatrixRows, Source};

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
        let [m, n, k] = a.shape.map(|side| side as usize);
        let mut result = [[0u32; LANES]; 8];
        for matrix in 0..a.matrices() {
            let [a, b, c] = [(a, 0), (b, 1), (c, 2)]
                .map(|(fragment, at)| self.elements(fragment, &form.sources[at], matrix, around));
            let mut product = vec![0; m * n];
            match form.fragments[0].element.is_integer() {
                true => integers(form, [m, n, k], [&a, &b, &c], &mut product),
                false => floats(form, around, [m, n, k], [&a, &b, &c], &mut product),
            }
            scatter(d, matrix, &product, &mut result);
        }
        for (target, values) in form.targets.iter().zip(&result) {
            self.registers.write(*target, mask, values);
        }
        Ok(())
    }

    /// All lanes must be here: each holds a part.
    pub(super) fn all_lanes(&self, here: u32, around: Surroundings) -> Result<(), Problem> {
        if here == u32::MAX {
            return Ok(());
        }
        let problem = Problem::LanesElsewhere { members: u32::MAX, here };
        let warnings = around.warnings.filter(|_| !self.stack.can_wait());
        let warnings = warnings.ok_or_else(|| problem.clone())?;
        let pc = self.stack.top().map_or(0, |path| path.pc);
        warnings.pass(pc, self.identity, None, problem, here.count_ones());
        Ok(())
    }

    /// The elements of a matrix, by rows.
    fn elements(
        &self,
        fragment: Fragment,
        registers: &[Source],
        matrix: u32,
        around: Surroundings,
    ) -> Vec<u32> {
        let [rows, columns] = fragment.dimensions();
        let mut all = vec![0; (rows * columns) as usize];
        let bytes = fragment.element.bytes();
        let (in_register, ones) = (4 / bytes, u32::MAX >> (32 - 8 * bytes));
        for (register, source) in registers.iter().enumerate() {
            let values = self.row::<u32>(around.image, *source);
            for lane in (0..32).filter(|lane| fragment.matrix_of(*lane) == matrix) {
                for part in 0..in_register {
                    let at = register as u32 * in_register + part;
                    let [row, column] = fragment.place(lane, at);
                    let value = values[lane as usize] >> (part * bytes * 8) & ones;
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
            let bytes = element * u64::from(form.fragment.element.bytes());
            base[lane].wrapping_add(form.offset).wrapping_add(bytes)
        });
        self.registers.write(form.d, mask, &addresses);
    }
}

/// Puts a matrix by rows into the registers of the lanes.
fn scatter(fragment: Fragment, matrix: u32, all: &[u32], into: &mut [Lanes<u32>; 8]) {
    let [_, columns] = fragment.dimensions();
    let bytes = fragment.element.bytes();
    let in_register = 4 / bytes;
    for (register, values) in into.iter_mut().enumerate().take(fragment.registers()) {
        for lane in (0..32).filter(|lane| fragment.matrix_of(*lane) == matrix) {
            for part in 0..in_register {
                let [row, column] = fragment.place(lane, register as u32 * in_register + part);
                let value = all[(row * columns + column) as usize];
                values[lane as usize] |= value << (part * bytes * 8);
            }
        }
    }
}

fn floats(
    form: &MatrixForm,
    around: Surroundings,
    [m, n, k]: [usize; 3],
    [a, b, c]: [&[u32]; 3],
    product: &mut [u32],
) {
    let [of_a, of_b, of_c, of_d] = form.fragments.map(|fragment| fragment.element);
    let factors = |element: Element, all: &[u32]| -> Vec<Factor> {
        all.iter().map(|bits| Factor::of(element, *bits)).collect()
    };
    let (a, b, c) = (factors(of_a, a), factors(of_b, b), factors(of_c, c));
    let core = around.image.program.tensor_core;
    let mut pairs = vec![[Factor::default(); 2]; k];
    for (at, place) in product.iter_mut().enumerate().take(m * n) {
        let (row, column) = (at / n, at % n);
        for (step, pair) in pairs.iter_mut().enumerate() {
            *pair = [a[row * k + step], b[step * n + column]];
        }
        *place = sum(core, c[at], &pairs, of_d, of_a);
    }
}

fn integers(form: &MatrixForm, [m, n, k]: [usize; 3], [a, b, c]: [&[u32]; 3], product: &mut [u32]) {
    let value = |fragment: Fragment, bits: u32| match fragment.element {
        Element::S8 => i64::from(bits as i8),
        Element::U8 => i64::from(bits as u8),
        _ => i64::from(bits as i32),
    };
    for (at, place) in product.iter_mut().enumerate().take(m * n) {
        let (row, column) = (at / n, at % n);
        let products = (0..k).map(|step| {
            value(form.fragments[0], a[row * k + step])
                * value(form.fragments[1], b[step * n + column])
        });
        let total = products.sum::<i64>() + i64::from(c[at] as i32);
        *place = match form.saturate {
            true => total.clamp(i32::MIN.into(), i32::MAX.into()) as u32,
            false => total as u32,
        };
    }
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
