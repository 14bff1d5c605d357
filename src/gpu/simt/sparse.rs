//! Which columns of a sparse `A` its lanes hold: metadata of `mma.sp`.

use super::problem::Problem;
use super::warp::{Surroundings, Warp};
use crate::isa::{Fragment, Sparsity};

impl Warp {
    /// For each element of `A` that is held, by rows, its column.
    pub(super) fn columns_of_sparse(
        &self,
        sparsity: &Sparsity,
        a: Fragment,
        around: Surroundings,
    ) -> Result<Vec<usize>, Problem> {
        let words = self.row::<u32>(around.image, sparsity.metadata);
        let size = Sparsity::chunk(a.element);
        let mut columns = Vec::new();
        for row in 0..a.shape[0] {
            for chunk in 0..sparsity.columns / size {
                let [lane, bit] = sparsity.place(a.element, row, chunk);
                let found = words[lane as usize] >> bit & 15;
                let held = held(found, size, sparsity.is_ordered);
                let held = held.map_err(|accepted| Problem::Metadata { found, bit, accepted })?;
                columns.extend(held.map(|at| (chunk * size + at) as usize));
            }
        }
        Ok(columns)
    }
}

/// The elements of a chunk that are held, or what is accepted.
fn held(
    found: u32,
    size: u32,
    is_ordered: bool,
) -> Result<impl Iterator<Item = u32>, &'static str> {
    let [first, second] = [found & 3, found >> 2];
    // One of two elements takes the places of two in a chunk of half their size; of eight, two stand together.
    let (first, count, each) = match (size, found) {
        (2, 0b0100) => ([0, 0], 1, 1),
        (2, 0b1110) => ([1, 1], 1, 1),
        (2, _) => return Err("0b0100 and 0b1110"),
        _ if first == second => return Err("two places that differ"),
        _ if is_ordered && first > second => return Err("two places that rise"),
        (4, _) => ([first, second], 2, 1),
        _ => ([first, second], 2, 2),
    };
    Ok(first
        .into_iter()
        .take(count)
        .flat_map(move |place| (0..each).map(move |at| place * each + at)))
}
