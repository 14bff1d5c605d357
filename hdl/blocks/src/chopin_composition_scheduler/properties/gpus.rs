//! What the properties remember of each GPU.

use crate::chopin_composition_scheduler::channels::Misuse;
use crate::chopin_composition_scheduler::params::Params;
use crate::kit::*;

/// A GPU as it should be.
pub(super) struct Gpu<'m> {
    pub number: u32,
    /// Groups that it has begun; the CGID.
    pub group: Reg<'m>,
    pub composes: Reg<'m>,
    /// The group is transparent.
    pub transparent: Reg<'m>,
    /// It has finished the next group, and of which kind that is.
    pub waits: Reg<'m>,
    pub next_transparent: Reg<'m>,
    /// GPUs whose sub-images it has; itself for the background.
    pub got: Reg<'m>,
    /// GPUs that have its sub-image.
    pub gave: Reg<'m>,
    /// Whose sub-image is under way to it, one-hot.
    pub way: Reg<'m>,
}

/// What happens to a GPU at a clock.
pub(super) struct Event<'m> {
    /// What it has finished is well-formed.
    pub accepts: Signal<'m>,
    pub transparent: Signal<'m>,
    /// Sources whose transfers to it have ended, and receivers whose transfers from it have.
    pub received: Signal<'m>,
    pub sent: Signal<'m>,
    /// Sources of the transfer to it that is on offer.
    pub offered: Signal<'m>,
}

impl<'m> Gpu<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params, number: u32) -> Self {
        let reg = |name: &str, width| m.reg(&format!("gpu{number}_{name}"), width, 0);
        Self {
            number,
            group: reg("group", p.cgid_bits),
            composes: reg("composes", 1),
            transparent: reg("transparent", 1),
            waits: reg("waits", 1),
            next_transparent: reg("next_transparent", 1),
            got: reg("got", p.gpus),
            gave: reg("gave", p.gpus),
            way: reg("way", p.gpus),
        }
    }

    /// The GPU's bit in a vector of GPUs.
    pub fn own(&self) -> Signal<'m> {
        let (m, width) = (self.got.module(), self.got.width());
        m.lit(width, 1 << self.number)
    }

    /// It sends to one of `receivers`, beside the background.
    pub fn sends(&self, receivers: &[Gpu<'m>]) -> Signal<'m> {
        let others = receivers.iter().filter(|other| other.number != self.number);
        any_of(others.map(|other| other.way.bit(self.number)))
    }

    /// It composes the group of another GPU too.
    pub fn is_with(&self, other: &Self) -> Signal<'m> {
        *self.composes & *other.composes & self.group.eq(*other.group)
    }

    /// It has not begun the group of another GPU.
    pub fn is_before(&self, other: &Self) -> Signal<'m> {
        other.group.eq(*self.group + 1)
    }

    /// It has composed with all others, in its own kind of group.
    pub fn is_complete(&self, got: Signal<'m>, gave: Signal<'m>) -> Signal<'m> {
        let background = self.own().and_where(!*self.transparent);
        (gave | self.own()).all() & (got | background).all()
    }

    /// Why its next group cannot be of that kind, beside that it waits: another GPU says otherwise.
    pub fn is_contradicted(
        &self,
        gpus: &[Gpu<'m>],
        transparent: Signal<'m>,
    ) -> (Signal<'m>, Signal<'m>) {
        let composes =
            |gpu: &Gpu<'m>| *gpu.composes & self.is_before(gpu) & gpu.transparent.ne(transparent);
        let waits = |gpu: &Gpu<'m>| {
            *gpu.waits & gpu.group.eq(*self.group) & gpu.next_transparent.ne(transparent)
        };
        (any_of(gpus.iter().map(composes)), any_of(gpus.iter().map(waits)))
    }

    /// The code of a malformed `finished` of this GPU.
    pub fn misuse(&self) -> Signal<'m> {
        let m = self.got.module();
        self.waits.mux(m.lit(2, Misuse::Third as u64), Misuse::OtherKind as u64)
    }

    /// What it becomes at the edge; whether its group ends, and whether it begins one.
    pub fn set(&self, event: &Event<'m>) -> (Signal<'m>, Signal<'m>) {
        let m = self.got.module();
        let Event { accepts, transparent, received, sent, offered } = *event;
        let (got, gave) = (*self.got | received, *self.gave | sent);
        let ends = self.is_complete(got, gave);
        let waits = *self.waits | (accepts & *self.composes);
        let next = self.waits.mux(*self.next_transparent, transparent);
        let begins = (accepts & !*self.composes) | (ends & waits);
        self.composes.set((*self.composes & !ends) | begins);
        self.waits.set(waits & !ends);
        self.next_transparent.set(next);
        m.when(begins, || {
            self.group.set(*self.group + 1);
            self.transparent.set(next);
        });
        self.got.set(got.and_where(!ends));
        self.gave.set(gave.and_where(!ends));
        self.way.set((*self.way | offered) & !received);
        (ends, begins)
    }
}
