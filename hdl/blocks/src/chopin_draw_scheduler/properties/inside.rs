//! Invariants that make the proof of our own circuit close: what its registers hold, beside what the
//! properties remember. They are proven together with the rules, by induction over one clock.

use super::super::circuit::decided_fields;
use super::monitor::{Came, Gpu, Monitor};
use crate::kit::*;

/// Wide enough for any sum here.
const SUM_BITS: u32 = 16;

const TOTALS: [&str; 2] = ["scheduled", "processed"];

pub(super) fn assert_invariants<'m>(monitor: &Monitor<'_, 'm>, probes: &Probes) {
    let p = monitor.p;
    let upper = |gpu: u32| {
        TOTALS.map(|name| {
            let path = format!("gpu{gpu}.{name}.kept1");
            probes.signal(monitor.m, &path, p.counter_bits - p.segment_bits)
        })
    };
    let inside = Inside { monitor, probes, upper: (0..p.gpus).map(upper).collect() };
    inside.draws_come();
    inside.entries_are_ideal();
    inside.comparisons_are_right();
    inside.grants_are_ideal();
    inside.triangles_are_accounted_for();
    inside.remaining_fits();
    inside.totals_are_ideal();
    inside.answers_come();
}

struct Inside<'a, 'm> {
    monitor: &'a Monitor<'a, 'm>,
    probes: &'a Probes,
    /// Upper segments of the totals scheduled and processed of each GPU.
    upper: Vec<[Signal<'m>; 2]>,
}

fn wide(signal: Signal<'_>) -> Signal<'_> {
    signal.zero_extend(SUM_BITS)
}

impl<'m> Inside<'_, 'm> {
    fn signal(&self, path: &str, width: u32) -> Signal<'m> {
        self.probes.signal(self.monitor.m, path, width)
    }

    fn invariant(&self, name: &str, kept: &[Signal<'m>], doc: &str) {
        invariant(self.monitor.m, name, all_of(self.monitor.m, kept), doc);
    }

    fn gpus(&self) -> impl Iterator<Item = (u32, &Gpu<'m>)> {
        (0u32..).zip(&self.monitor.gpus)
    }

    /// Registers that are one where something came, and what came.
    fn is_as(&self, valid: &str, value: &str, came: Came<'m>) -> Signal<'m> {
        let value = self.signal(value, came.value.width()).eq(came.value);
        self.signal(valid, 1).eq(came.valid) & (!came.valid | value)
    }

    fn draws_come(&self) {
        let Monitor { p, draws: [first, second, third], .. } = *self.monitor;
        let next = self.signal("next_draw", p.triangle_bits).eq(second.or_none());
        let kept = [
            self.is_as("draw_came", "draw_came_with", first),
            self.signal("is_next", 1).eq(second.valid) & next,
            self.is_as("is_decided", "decided_draw", third),
        ];
        self.invariant("draws_come", &kept, "Draws come to be decided.");
    }

    /// The entries of the GPUs in all clocks of a report.
    fn entries_are_ideal(&self) {
        let Monitor { p, draws: [.., third], .. } = *self.monitor;
        let given = self.signal("given", p.gpus);
        let given_triangles = self.signal("given_triangles", p.triangle_bits);
        let (mut checked, mut counted, mut remains) = (Vec::new(), Vec::new(), Vec::new());
        for (number, gpu) in self.gpus() {
            let entry = |name: &str, width| self.signal(&format!("gpu{number}.{name}"), width);
            let reported = self.signal(&format!("reported{number}"), p.triangle_bits);
            checked.push(reported.eq(gpu.reported));
            checked.push(given_triangles.and_where(given.bit(number)).eq(gpu.given[0]));
            checked.push(entry("held", p.remaining_bits).eq(gpu.held));
            counted.push(entry("counted", p.triangle_bits).eq(gpu.counted[0]));
            counted.push(entry("scheduled_more", p.triangle_bits).eq(gpu.given[1]));
            counted.push(entry("exceeds", 1).eq(gpu.refused));
            let counts = gpu.counted[1].zero_extend(p.remaining_bits);
            let draw = third.or_none().zero_extend(p.remaining_bits);
            let zero = self.monitor.m.lit(p.remaining_bits, 0);
            remains.push(entry("less", p.remaining_bits).eq(zero - counts));
            remains.push(entry("less_and_draw", p.remaining_bits).eq(draw - counts));
            remains.push(entry("remaining", p.remaining_bits).eq(gpu.remaining));
        }
        self.invariant("reports_are_checked", &checked, "Reports are checked as they should be.");
        self.invariant("reports_are_counted", &counted, "What fits is counted.");
        self.invariant("remaining_is_ideal", &remains, "What remains is the difference.");
    }

    fn comparisons_are_right(&self) {
        let gpus = &self.monitor.gpus;
        let row = |(high, gpu): (u32, &Gpu<'m>)| {
            let lower = gpus[..high as usize].iter().map(|low| low.remaining.le(gpu.remaining));
            let row = self.signal(&format!("before_gpu{high}"), high);
            row.eq(column(self.monitor.m, lower))
        };
        let rows: Vec<_> = self.gpus().skip(1).map(row).collect();
        self.invariant("comparisons", &rows, "Each comparison is of what remains.");
    }

    fn grants_are_ideal(&self) {
        let Monitor { p, decided, draws, in_flight, room, .. } = self.monitor;
        let mut kept = vec![decided.in_order()];
        for (place, (taken, entry)) in decided.entries().enumerate() {
            let path = format!("grants.place{place}");
            kept.push(self.signal(&format!("{path}_taken"), 1).eq(taken));
            let ours = self.probes.record(self.monitor.m, &format!("{path}_"), &decided_fields(p));
            kept.push(!taken | ours.pack().eq(entry.pack()));
        }
        self.invariant("grants_are_ideal", &kept, "Grants wait in order.");
        let come = count_of(draws.iter().map(|draw| draw.valid), SUM_BITS);
        let ours = self.signal("in_flight", in_flight.width());
        let all = (wide(decided.count()) + come).eq(wide(*in_flight));
        let limit = in_flight.le(p.draws_in_flight());
        let same = [ours.eq(*in_flight), all, limit, self.signal("has_room", 1).eq(*room)];
        self.invariant("in_flight", &same, "Draws in flight are counted.");
    }

    /// What remains of a GPU is held by it, or on its way. The triangles of its grants that wait are counted
    /// as they come and go, so that no step must add up a queue in another order.
    fn triangles_are_accounted_for(&self) {
        let Monitor { m, p, decided, draws: [.., third], fewest, .. } = self.monitor;
        let (mut waiting, mut kept) = (Vec::new(), Vec::new());
        for (number, gpu) in self.gpus() {
            let waits = m.reg(&format!("waits{number}"), p.triangle_bits + 3, 0);
            let few = |signal: Signal<'m>| signal.zero_extend(waits.width());
            let comes = third.or_none().and_where(fewest.0.eq(number));
            waits.set(*waits + few(comes) - few(gpu.given_now));
            let its = |(taken, entry): (Signal<'m>, Record<'m>)| {
                let is_its = taken & entry.get("gpu").eq(number);
                few(entry.get("triangles").and_where(is_its))
            };
            let entries: Vec<_> = decided.entries().map(its).collect();
            let sum = entries.into_iter().rev().reduce(|younger, older| older + younger);
            waiting.push(waits.eq(sum.expect("places")));

            let bits = p.remaining_bits + 2;
            let sum = |of: &[Signal<'m>]| {
                let wide = of.iter().map(|signal| signal.zero_extend(bits));
                wide.reduce(|a, b| a + b).expect("signals")
            };
            let all = sum(&[gpu.held, gpu.given[0], *waits, gpu.counted[0], gpu.counted[1]]);
            kept.push(gpu.remaining.zero_extend(bits).eq(all));
        }
        self.invariant("waiting", &waiting, "Triangles of the grants that wait are counted.");
        self.invariant("accounted_for", &kept, "Triangles that remain are somewhere.");
        let exists = |entry: Record<'m>| entry.get("gpu").zero_extend(8).lt(p.gpus);
        let exist: Vec<_> = decided.entries().map(|(taken, e)| !taken | exists(e)).collect();
        self.invariant("gpus_exist", &exist, "Draws go to GPUs that are there.");
    }

    /// A draw was accepted when some GPU had not many, and few draws were decided since.
    fn remaining_fits(&self) {
        let Monitor { m, p, draws, fewest, room, .. } = self.monitor;
        let most = |draws: u64| m.lit(SUM_BITS, p.many() - 1 + draws * p.largest_draw());
        let least = wide(fewest.1);
        let mut kept = vec![!*room | least.le(most(1))];
        for (draw, before) in draws.iter().zip(2..) {
            kept.push(!draw.valid | least.le(most(before)));
        }
        self.invariant("fewest_is_low", &kept, "There is room for the draws that come.");
    }

    /// A total is its segments and the carries between them.
    fn totals_are_ideal(&self) {
        let Monitor { p, .. } = self.monitor;
        let mut kept = Vec::new();
        let low = p.segment_bits;
        for (number, gpu) in self.gpus() {
            for (of, name) in TOTALS.into_iter().enumerate() {
                let part =
                    |part: &str, width| self.signal(&format!("gpu{number}.{name}.{part}"), width);
                let high = self.upper[number as usize][of];
                let carry = part("carry0", 1).zero_extend(high.width());
                kept.push((high + carry).concat(part("kept0", low)).eq(gpu.totals[of]));
            }
        }
        self.invariant("totals_are_ideal", &kept, "Totals are as they should be.");
    }

    fn answers_come(&self) {
        let Monitor { p, queries: [first, second], answers, .. } = self.monitor;
        let low = p.segment_bits;
        let asks = |came: Came<'m>| one_hot::decode(came.value, p.gpus);
        let [(read, totals), (answered, answer)] = answers;
        let mut kept = vec![
            self.is_as("query_comes", "query_of", *first),
            self.signal("asked", 1).eq(second.valid),
            !second.valid | self.signal("asks0", p.gpus).eq(asks(*second)),
            self.signal("answered0", 1).eq(read.valid),
            !read.valid | self.signal("asks1", p.gpus).eq(asks(*read)),
            self.signal("answered1", 1).eq(answered.valid),
        ];
        for (of, name) in TOTALS.into_iter().enumerate() {
            let (total, answer) = (totals.get(name), answer.get(name));
            let lower = self.signal(&format!("{name}0_read"), low);
            kept.push(!read.valid | lower.eq(total.slice(0..low)));
            let upper: Vec<_> = self.upper.iter().map(|upper| upper[of]).collect();
            let high = one_hot::select(asks(*read), &upper);
            kept.push(!read.valid | high.eq(total.slice(low..p.counter_bits)));
            let lower = self.signal(&format!("{name}0_at1"), low);
            let upper = self.signal(&format!("{name}1_read"), p.counter_bits - low);
            kept.push(!answered.valid | upper.concat(lower).eq(answer));
        }
        self.invariant("answers_come", &kept, "A query reads a segment after the other.");
    }
}
