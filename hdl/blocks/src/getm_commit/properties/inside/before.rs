//! How many of the writes that are due are before the first of each region and of each item: that moves
//! through registers as regions and items move through the circuit.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::Buffer;

/// What is before each of them, as many ones.
pub(super) struct Before<'m> {
    pub items: [Signal<'m>; 2],
    /// By slot of the ring.
    pub slots: Vec<Signal<'m>>,
    pub read: Signal<'m>,
    pub leaving: [Signal<'m>; 2],
    pub releases: [Signal<'m>; 2],
}

/// What moves through the circuit.
pub(super) struct Moves<'a, 'm> {
    /// The writes that are due.
    pub due: Signal<'m>,
    /// How many of them leave at the edge.
    pub leave: Signal<'m>,
    pub items: &'a Buffer<'m>,
    /// The slot of the region that is begun, if one is.
    pub begins: Signal<'m>,
    /// The slot of the region that is read, if one is.
    pub reads: Signal<'m>,
    pub leaving: &'a Buffer<'m>,
    pub releases: &'a Buffer<'m>,
}

impl<'m> Before<'m> {
    pub fn new(m: &'m ModuleBuilder, moves: &Moves<'_, 'm>) -> Self {
        let width = moves.due.width();
        let register = |name: &str, value: &dyn Fn(Signal<'m>) -> Signal<'m>| {
            let register = m.reg_without_reset(&format!("before_{name}"), width);
            register.set(value(*register).shift_right(moves.leave));
            *register
        };
        // As the data of a skid buffer do.
        let through = |name: &str, buffer: &Buffer<'m>, entering: Signal<'m>| {
            let second =
                register(&format!("{name}1"), &|second| buffer.valid[1].mux(second, entering));
            let moved = buffer.valid[1].mux(second, entering);
            [register(&format!("{name}0"), &|first| buffer.leaves.mux(moved, first)), second]
        };
        let items = through("item", moves.items, moves.due);
        let slot = |(slot, begins): (usize, Signal<'m>)| {
            register(&format!("slot{slot}"), &|held| begins.mux(items[0], held))
        };
        let slots: Vec<_> = moves.begins.to_bits().into_iter().enumerate().map(slot).collect();
        let is_read = one_hot::select(moves.reads, &slots);
        let read = register("read", &|held| moves.reads.any().mux(is_read, held));
        let leaving = through("leaving", moves.leaving, read);
        let releases = through("release", moves.releases, leaving[0]);
        Self { items, slots, read, leaving, releases }
    }
}
