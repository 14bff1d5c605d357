//! Invariants that make the proof of our own circuit close: what its registers hold, beside what the
//! properties remember. They are proven together with the rules, by induction over one clock.

use super::gpus::Gpu;
use super::monitor::{Monitor, has_between};
use crate::kit::*;

pub(super) fn assert_invariants(monitor: &Monitor<'_, '_>, probes: &Probes) {
    let inside = Inside { m: monitor.m, monitor };
    inside.rows_are_as_remembered(probes);
    inside.groups_are_near();
    inside.composed_pairs_agree();
    inside.transfers_are_due();
    inside.kinds_are_kept(probes);
    inside.offer_is_allowed(probes);
}

struct Inside<'a, 'm> {
    m: &'m ModuleBuilder,
    monitor: &'a Monitor<'a, 'm>,
}

impl<'m> Inside<'_, 'm> {
    fn invariant(&self, name: &str, kept: &[Signal<'m>], doc: &str) {
        invariant(self.m, name, all_of(self.m, kept), doc);
    }

    fn gpus(&self) -> &[Gpu<'m>] {
        &self.monitor.gpus
    }

    /// Ordered pairs of different GPUs.
    fn pairs(&self) -> impl Iterator<Item = (&Gpu<'m>, &Gpu<'m>)> {
        let pairs = self.gpus().iter().flat_map(|a| self.gpus().iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| a.number != b.number)
    }

    fn rows_are_as_remembered(&self, probes: &Probes) {
        let (m, p) = (self.m, self.monitor.p);
        let (mut same, mut busy) = (Vec::new(), Vec::new());
        for gpu in self.gpus() {
            let signal =
                |name: &str, width| probes.signal(m, &format!("row{}.{name}", gpu.number), width);
            same.push(signal("cgid", p.cgid_bits).eq(*gpu.group));
            same.push(signal("ready", 1).eq(*gpu.composes));
            same.push(signal("waiting", 1).eq(*gpu.waits));
            same.push(signal("received", p.gpus).eq(*gpu.got));
            same.push(signal("sent", p.gpus).eq(*gpu.gave));
            busy.push(signal("receiving", 1).eq(gpu.way.any()));
            let source = one_hot::decode(signal("receives_from", p.gpu_bits()), p.gpus);
            busy.push(!gpu.way.any() | source.eq(*gpu.way));
            busy.push(signal("sending", 1).eq(gpu.sends(self.gpus())));
        }
        self.invariant("rows", &same, "A row is what is remembered of its GPU.");
        self.invariant("busy", &busy, "Who is busy is part of a transfer under way.");
    }

    /// GPUs are at most one group apart; who is ahead composes.
    fn groups_are_near(&self) {
        let near = |(a, b): (&Gpu<'m>, &Gpu<'m>)| {
            let same = a.group.eq(*b.group);
            same | b.is_before(a) | (a.is_before(b) & *b.composes)
        };
        let near: Vec<_> = self.pairs().map(near).collect();
        self.invariant("near", &near, "GPUs are at most one group apart.");
        // Modulo four, with two CGID bits, one ahead is not one behind.
        let ahead = |(a, b): (&Gpu<'m>, &Gpu<'m>)| !a.is_before(b) | *b.composes;
        let ahead: Vec<_> = self.pairs().map(ahead).collect();
        self.invariant("ahead", &ahead, "A group ends for nobody before all have begun it.");
        let waits: Vec<_> = self.gpus().iter().map(|gpu| !*gpu.waits | *gpu.composes).collect();
        self.invariant("waits", &waits, "Only a GPU that composes has finished a second group.");
    }

    /// Both GPUs of a pair remember the same of it while they compose one group.
    fn composed_pairs_agree(&self) {
        let (mut agree, mut past, mut idle) = (Vec::new(), Vec::new(), Vec::new());
        for (a, b) in self.pairs() {
            let (got, gave) = (a.got.bit(b.number), a.gave.bit(b.number));
            agree.push(!a.is_with(b) | got.eq(b.gave.bit(a.number)));
            // Of b that has ended the group of a, all; of b that has not begun it, nothing.
            let is_past = a.is_before(b) | (a.group.eq(*b.group) & !*b.composes);
            past.push(!(*a.composes & is_past) | (got & gave));
            past.push(!b.is_before(a) | !(got | gave));
        }
        for gpu in self.gpus() {
            idle.push(*gpu.composes | !(gpu.got.any() | gpu.gave.any() | gpu.way.any()));
            idle.push(!*gpu.composes | !gpu.is_complete(*gpu.got, *gpu.gave));
            idle.push(!gpu.gave.bit(gpu.number));
            let others = (*gpu.got | gpu.own()).all() & *gpu.transparent;
            idle.push(!gpu.got.bit(gpu.number) | others);
            let runs = self.gpus().iter().filter(|from| from.number != gpu.number);
            let run = |from: &Gpu<'m>| {
                !(*gpu.transparent & gpu.got.bit(from.number)) | has_between(gpu, from.number)
            };
            idle.extend(runs.map(run));
        }
        self.invariant("agree", &agree, "Source and receiver agree on what has ended.");
        self.invariant("past", &past, "Who has left a group has composed with all in it.");
        self.invariant("composed", &idle, "What a GPU has composed fits its group.");
    }

    /// Transfers under way are those of two GPUs of one group that have not composed yet.
    fn transfers_are_due(&self) {
        let (mut due, mut one) = (Vec::new(), Vec::new());
        for gpu in self.gpus() {
            one.push((*gpu.way & (*gpu.way - 1)).eq(0));
            due.push((*gpu.way & *gpu.got).eq(0));
            let last = *gpu.transparent & (*gpu.got | gpu.own()).all();
            due.push(!gpu.way.bit(gpu.number) | last);
        }
        for (from, to) in self.pairs() {
            let is_under_way = to.way.bit(from.number);
            let in_run = !*to.transparent | has_between(to, from.number);
            due.push(!is_under_way | (from.is_with(to) & in_run));
            let others = self.gpus().iter().filter(|gpu| gpu.number > to.number);
            let others = others.filter(|gpu| gpu.number != from.number);
            one.extend(others.map(|other| !(is_under_way & other.way.bit(from.number))));
        }
        self.invariant("due", &due, "What is under way is due.");
        self.invariant("one", &one, "One transfer a source, one a receiver.");
    }

    /// The circuit keeps kinds by group, we by GPU.
    fn kinds_are_kept(&self, probes: &Probes) {
        let m = self.m;
        let newest = probes.signal(m, "newest", 2);
        let kinds = probes.signal(m, "kinds", 4);
        let kind_of =
            |group: Signal<'m>| one_hot::select(one_hot::decode(group, 4), &kinds.to_bits());
        let (mut same, mut newer) = (Vec::new(), Vec::new());
        let mut some = m.lit(1, 0);
        for gpu in self.gpus() {
            let group = gpu.group.slice(0..2);
            same.push(!*gpu.composes | kind_of(group).eq(*gpu.transparent));
            same.push(!*gpu.waits | kind_of(group + 1).eq(*gpu.next_transparent));
            let finished = group + gpu.waits.zero_extend(2);
            newer.push((newest - finished).ne(3) & (newest - group).ne(3));
            some = some | finished.eq(newest);
        }
        newer.push(some);
        self.invariant("kinds", &same, "The kind of a group is that of each GPU in it.");
        self.invariant("newest", &newer, "The newest group is one that a GPU has finished.");
    }

    fn offer_is_allowed(&self, probes: &Probes) {
        let Monitor { p, start, is_new, may_start, withheld, .. } = self.monitor;
        let m = self.m;
        let [dst, src] = ["offered_dst", "offered_src"].map(|name| probes.signal(m, name, p.gpus));
        let one = |bits: Signal<'m>| (bits & (bits - 1)).eq(0) & bits.any().eq(start.valid);
        let is_held = |(gpu, number): (&Gpu<'m>, u32)| {
            let is_this = start.valid & !*is_new & dst.bit(number);
            !is_this | src.eq(*gpu.way)
        };
        let mut shown: Vec<_> = self.gpus().iter().zip(0..).map(is_held).collect();
        shown.extend([one(dst), one(src)]);
        self.invariant("offer", &shown, "What is offered is one pair, and busy from then on.");

        let mut allowed = Vec::new();
        let mut might = m.lit(1, 0);
        for (gpu, may_start) in self.gpus().iter().zip(may_start) {
            let might_take = probes.signal(m, &format!("row{}.may_take", gpu.number), p.gpus);
            let sends = (src & !dst) & !gpu.own();
            let still = (might_take & !sends).and_where(!dst.bit(gpu.number));
            allowed.push((still & !*may_start).eq(0));
            might = might | might_take.any();
        }
        self.invariant(
            "may_take",
            &allowed,
            "What a row might take may start, unless just offered.",
        );
        let comes = !withheld.any() | might;
        let in_time = withheld.lt(2) | start.valid;
        self.invariant(
            "in_time",
            &[comes, in_time],
            "What may start is offered in the next clocks.",
        );
    }
}
