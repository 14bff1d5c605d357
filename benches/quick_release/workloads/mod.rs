//! The workloads of section 4.2 of the QuickRelease paper, written anew.

mod grids;
mod lists;
mod workload;

pub use grids::{around, diffused};
pub use lists::{edges, graph, nn, reduction};
pub use workload::{Argument, Buffer, Computer, Rounds, Run, Size, Workload};

/// All of them, in the order of the paper's names.
pub fn all(size: Size) -> Vec<Workload> {
    vec![
        lists::apsp(size),
        lists::backprop(size),
        lists::bfs(size),
        grids::dct(size),
        lists::histogram(size),
        grids::hotspot(size),
        lists::kmeans(size),
        grids::lud(size),
        grids::matmul(size),
        nn(size.of(65_536, 512)),
        grids::nw(size),
        reduction(size.of(262_144, 4096)),
        lists::sort(size),
        lists::spmv(size),
        grids::srad(size),
    ]
}
