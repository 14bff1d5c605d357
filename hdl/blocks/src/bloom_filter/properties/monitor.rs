//! Memory of the properties, and the rules that they assert at the ports.

use crate::bloom_filter::channels::Op;
use crate::bloom_filter::hashes::Hashes;
use crate::bloom_filter::params::Params;
use crate::bloom_filter::rules;
use crate::kit::*;

/// The ports, and what is remembered of what they showed.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    pub req: Watched<'m>,
    pub resp: Watched<'m>,
    pub chosen: Chosen<'m>,
    /// Queries in the two stages behind the first, the younger first.
    pub stages: [Held<'m>; 2],
    /// Answers that wait to be taken.
    pub waiting: Queue<'m>,
}

/// A query under way: whether there is one, whether it is the chosen one, and its answer then.
pub(super) fn due_fields() -> Fields {
    let due = Fields::new().with("valid", 1, "").with("chosen", 1, "").with("hit", 1, "");
    due.with("inserted", 1, "its line was inserted").with("empty", 1, "nothing was")
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let [req, resp, error] = Watched::all(m, p);
        let op = |op: Op| req.get("op").eq(op as u64);
        let malformed = !op(Op::ClearAll) & req.get("wavefront").ge(p.wavefronts);
        let error_due = last_clock(m, "error_due", req.fires() & malformed);
        let as_due = error.valid.eq(error_due) & (!error.valid | error.get("code").eq(0));
        rules::ERROR_AS_DUE.assert(m, as_due);

        let chosen = Chosen::new(m, p, &req);
        let query = req.fires() & op(Op::Query);
        let nothing = chosen.inserted_any.eq(0).named("nothing_inserted");
        let is_chosen = chosen.of_wavefront & chosen.of_line;
        let is_empty = malformed | (chosen.of_wavefront & nothing);
        let values = vec![query, is_chosen, chosen.bits.all(), *chosen.inserted, is_empty];
        let due = Record::new(&due_fields(), values);
        let stages =
            [Held::zero(m, "stage1", &due_fields()), Held::zero(m, "stage2", &due_fields())];
        m.when(req.ready, || {
            stages[0].set(&due);
            stages[1].set(stages[0].get());
        });
        let waiting = Queue::new(m, "waiting", 2, &due_fields());
        let last = stages[1].get();
        waiting.set(last.get("valid") & req.ready, last, resp.fires());

        rules::TAKES_UNLESS_TWO_WAIT.assert(m, req.ready.eq(!waiting.full()));
        rules::ANSWERED_IN_TIME.assert(m, resp.valid.eq(waiting.any()));
        let due = waiting.oldest();
        let hit = resp.get("hit");
        let of_chosen = resp.valid & waiting.any() & due.get("chosen");
        rules::INSERTED_HITS.assert(m, !(of_chosen & due.get("inserted")) | hit);
        rules::EMPTY_MISSES.assert(m, !(resp.valid & waiting.any() & due.get("empty")) | !hit);
        rules::AS_THE_BITS.assert(m, !of_chosen | hit.eq(due.get("hit")));
        Self { m, p, req, resp, chosen, stages, waiting }
    }

    /// A request of that kind is accepted.
    pub fn takes(&self, op: Op) -> Signal<'m> {
        self.req.fires() & self.req.get("op").eq(op as u64)
    }
}

/// Insertions by the chosen wavefront since its last clear.
pub(super) struct Chosen<'m> {
    pub wavefront: Signal<'m>,
    /// The bit of the chosen line in each sub-array.
    pub indices: Vec<Signal<'m>>,
    /// The request is of the chosen wavefront, and of the chosen line.
    pub of_wavefront: Signal<'m>,
    pub of_line: Signal<'m>,
    /// Sub-arrays in which the line's bit is set.
    pub bits: Reg<'m>,
    /// The line was inserted, and any line was.
    pub inserted: Reg<'m>,
    pub inserted_any: Reg<'m>,
}

impl<'m> Chosen<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params, req: &Watched<'m>) -> Self {
        let wavefront = m.input("chosen_wavefront", p.wavefront_bits());
        let line = m.input("chosen_line", p.line_bits);
        let hashes = Hashes::new(p).0;
        let indices: Vec<_> = hashes.iter().map(|hash| hash.circuit(line)).collect();
        let has = |(hash, index): (&H3, &Signal<'m>)| hash.circuit(req.get("line")).eq(*index);
        let has = column(m, hashes.iter().zip(&indices).map(has)).named("chosen_has");

        let op = |op: Op| req.get("op").eq(op as u64);
        let of_wavefront = req.get("wavefront").eq(wavefront);
        let of_line = req.get("line").eq(line);
        let bits = m.reg("bits_set", p.sub_arrays, 0).doc("Sub-arrays in which the bit is set.");
        let inserted = m.reg("inserted", 1, 0).doc("The chosen line was inserted.");
        let inserted_any = m.reg("inserted_any", 1, 0).doc("A line was inserted.");
        let exists = wavefront.lt(p.wavefronts);
        let inserts = req.fires() & of_wavefront & op(Op::Insert) & exists;
        let clears = req.fires() & (op(Op::ClearAll) | (op(Op::Clear) & of_wavefront));
        m.when(inserts, || {
            bits.set(*bits | has);
            inserted.set(*inserted | of_line);
            inserted_any.set(1);
        })
        .otherwise_when(clears, || {
            bits.set(0);
            inserted.set(0);
            inserted_any.set(0);
        });
        Self { wavefront, indices, of_wavefront, of_line, bits, inserted, inserted_any }
    }
}
