//! An ideal line for each granule: how many wait, and whether they are woken.

use warpsmith_rtl::library::one_hot;
use warpsmith_rtl::{ModuleBuilder, Reg, Signal, address_bits};

use crate::getm_stall_buffer::params::Params;

/// The ideal line of a granule.
#[derive(Clone, Copy)]
pub(super) struct IdealLine<'m> {
    /// How many wait.
    pub count: Signal<'m>,
    /// One of them is to be retried.
    pub awake: Signal<'m>,
    /// A retry has no result yet.
    pub retrying: Signal<'m>,
    /// It was released since one of them was chosen.
    pub again: Signal<'m>,
}

impl<'m> IdealLine<'m> {
    /// It takes a line of the buffer.
    pub fn live(&self) -> Signal<'m> {
        self.count.any() | self.retrying
    }

    /// Somebody waits for a release.
    pub fn asleep(&self) -> Signal<'m> {
        self.count.any() & !self.awake & !self.retrying
    }
}

/// What happens to a granule's line at a clock.
#[derive(Clone, Copy)]
pub(super) struct Event<'m> {
    /// An access that has room parks.
    pub parks: Signal<'m>,
    /// The retry has a result.
    pub result: Signal<'m>,
    /// The granule is reserved after it.
    pub reserved: Signal<'m>,
    /// It is released.
    pub released: Signal<'m>,
    /// A retry is taken.
    pub leaves: Signal<'m>,
}

/// The ideal lines of all granules.
pub(super) struct Ideal<'m> {
    m: &'m ModuleBuilder,
    registers: Vec<[Reg<'m>; 4]>,
}

impl<'m> Ideal<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let line = |granule: u64| {
            let register = |name: &str, width| m.reg(&format!("granule{granule}_{name}"), width, 0);
            let count = register("count", address_bits(p.entries + 1));
            [count, register("awake", 1), register("retrying", 1), register("again", 1)]
        };
        Self { m, registers: (0..1 << p.granule_bits()).map(line).collect() }
    }

    /// All lines, by granule.
    pub fn lines(&self) -> Vec<IdealLine<'m>> {
        let line = |[count, awake, retrying, again]: &[Reg<'m>; 4]| IdealLine {
            count: **count,
            awake: **awake,
            retrying: **retrying,
            again: **again,
        };
        self.registers.iter().map(line).collect()
    }

    /// The line of a granule.
    pub fn of(&self, granule: Signal<'m>) -> IdealLine<'m> {
        let place = one_hot::decode(granule, self.registers.len() as u32);
        let field = |f: usize| {
            let values: Vec<_> = self.registers.iter().map(|line| *line[f]).collect();
            one_hot::select(place, &values)
        };
        IdealLine { count: field(0), awake: field(1), retrying: field(2), again: field(3) }
    }

    /// For how many lines something is true.
    pub fn number(&self, of: impl Fn(&IdealLine<'m>) -> Signal<'m>) -> Signal<'m> {
        let width = address_bits(self.registers.len() as u32 + 1);
        let each = self.lines().into_iter().map(|line| of(&line).zero_extend(width));
        each.reduce(|a, b| a + b).expect("a granule")
    }

    /// How many wait for all granules together.
    pub fn waiters(&self) -> Signal<'m> {
        let each = self.lines().into_iter().map(|line| line.count.zero_extend(8));
        each.reduce(|a, b| a + b).expect("a granule")
    }

    /// What the lines become at each edge. What parks counts first, then results, then releases.
    pub fn set(&self, event: impl Fn(Signal<'m>) -> Event<'m>) {
        for (number, registers) in (0u64..).zip(&self.registers) {
            let width = address_bits(self.registers.len() as u32);
            let Event { parks, result, reserved, released, leaves } =
                event(self.m.lit(width, number));
            let [count, awake, retrying, again] = registers;
            let ends = **retrying & result;
            let any = count.any() | parks;
            let goes_on = ends & (!reserved | **again) & any;
            let chosen = **awake | (**retrying & !ends);
            awake.set(!leaves & (**awake | goes_on | (any & !chosen & released)));
            again.set((chosen & (**again | released)) | (goes_on & released));
            retrying.set(leaves | (**retrying & !ends));
            let [more, less] = [parks, leaves].map(|bit| bit.zero_extend(count.width()));
            count.set(**count + more - less);
        }
    }
}
