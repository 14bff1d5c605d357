//! The Bloom filters as hardware: three stages, one request per clock.
//!
//! ```text
//! 0 hash      line -> a bit of each sub-array; the row's number goes to the RAM
//! 1 read      the row, or what stage 2 writes to it now or wrote at the edge of the read; halves of each
//!             bit's number, one-hot
//! 2 update    query: compare; insert: write the row with its bits; valid bits
//! ```
//!
//! All stages move on unless two answers wait. A row without its valid bit counts as zeros, so that a clear takes one
//! clock, and the RAM needs no clearing.

use super::channels::{self, ERROR, NO_SUCH_WAVEFRONT, Op, REQ, RESP};
use super::hashes::{Hashes, index_name};
use super::params::Params;
use crate::kit::*;

/// The module `bloom_filter`.
pub fn circuit(p: &Params) -> Module {
    module("bloom_filter", |m| build(m, p))
}

/// Fields of a request in each stage.
pub(super) fn request_fields(p: &Params) -> Fields {
    Fields::new().with("op", 2, "").with("wavefront", p.wavefront_bits(), "")
}

/// Further fields in stages 0 and 1: the number of a bit for each sub-array.
pub(super) fn index_fields(p: &Params) -> Fields {
    let index = |fields: Fields, i| fields.with(&index_name(i), p.index_bits(), "");
    (0..p.sub_arrays as usize).fold(Fields::new(), index)
}

/// Fields in their place in stage 2: both halves of each number, one-hot.
pub(super) fn place_fields(p: &Params) -> Fields {
    let place = |fields: Fields, i| {
        let fields = fields.with(&format!("low{i}"), 1 << p.low_bits(), "");
        fields.with(&format!("high{i}"), p.bits >> p.low_bits(), "")
    };
    (0..p.sub_arrays).fold(Fields::new(), place)
}

/// The place of a number in its sub-array: both halves, one-hot.
pub(super) fn place<'m>(p: &Params, index: Signal<'m>) -> [Signal<'m>; 2] {
    let (low, high) = (index.truncate(p.low_bits()), index.slice(p.low_bits()..p.index_bits()));
    [low, high].map(|half| one_hot::decode(half, 1 << half.width()))
}

/// A request in a stage.
struct Stage<'p, 'm> {
    p: &'p Params,
    valid: Signal<'m>,
    fields: Record<'m>,
}

impl<'p, 'm> Stage<'p, 'm> {
    /// The stage behind this one, with these fields: it takes over when `moves` is one.
    fn next(&self, name: &str, moves: Signal<'m>, fields: &Record<'m>) -> Self {
        let m = moves.module();
        let valid = m.reg(&format!("{name}_valid"), 1, 0);
        let held = Held::new(m, name, fields.fields());
        m.when(moves, || {
            valid.set(self.valid);
            held.set(fields);
        });
        Self { p: self.p, valid: *valid, fields: held.get().clone() }
    }

    fn is(&self, op: Op) -> Signal<'m> {
        self.valid & self.fields.get("op").eq(op as u64)
    }

    /// The wavefront, one-hot; none if there is no such one.
    fn wavefront(&self) -> Signal<'m> {
        one_hot::decode(self.fields.get("wavefront"), self.p.wavefronts)
    }

    /// Its row in the RAM.
    fn row(&self) -> Signal<'m> {
        self.fields.get("wavefront").truncate(self.p.row_number_bits())
    }

    /// Its fields with the places of the bits of its line.
    fn with_places(&self) -> Record<'m> {
        let (request, indices) = (request_fields(self.p), index_fields(self.p));
        let get = |field: &Field| self.fields.get(&field.name);
        let places = indices.iter().map(get).flat_map(|index| place(self.p, index));
        let values = request.iter().map(get).chain(places).collect();
        Record::new(&request.and(place_fields(self.p)), values)
    }

    /// The bit of its line in a sub-array, one-hot.
    fn bit(&self, sub_array: u32) -> Signal<'m> {
        let [low, high] =
            ["low", "high"].map(|half| self.fields.get(&format!("{half}{sub_array}")));
        let groups = high.to_bits().into_iter().map(|group| group.repeat(low.width()));
        low.repeat(high.width()) & column(low.module(), groups)
    }
}

fn build(m: &ModuleBuilder, p: &Params) {
    describe(
        m,
        "Bloom filters: of each wavefront the lines that its store buffer may have.\n\
        GPUDet, sections 4.3 and 5.2.\n\n\
        Requests are atomic, in their order: insert, query, clear, clear all. A query is\n\
        answered on resp three clocks later. error pulses for a wavefront that there is not;\n\
        such a request changes nothing, and a query misses.",
        p,
    );
    let channels = channels::channels(p);
    let request = Stream::input(m, channels[REQ].name, &channels[REQ].fields);
    let moves = m.wire("moves", 1).doc("All stages move on: at most one answer waits.");
    request.ready.set(*moves);
    let stage0 = incoming(m, p, &request, &channels[ERROR]);
    let stage1 = stage0.next("stage1", *moves, &stage0.fields);
    let stage2 = stage1.next("stage2", *moves, &stage1.with_places());

    let inserts = stage2.is(Op::Insert).named("inserts");
    let row_after = m.wire("row_after", p.row_bits()).doc("The row with the line of stage 2.");
    let stage1_row = read(m, p, [&stage0, &stage1, &stage2], *moves, (inserts, *row_after));
    let stage2_row = m.reg_without_reset("stage2_row", p.row_bits());
    m.when(*moves, || stage2_row.set(stage1_row));

    let live = live(m, [&stage1, &stage2], *moves, inserts);
    let (with_line, hit) = compare(m, &stage2, stage2_row.and_where(live));
    row_after.set(with_line);

    let payload = Record::new(&channels[RESP].fields, vec![hit]);
    let answer = Stream { valid: stage2.is(Op::Query).named("answers"), payload, ready: moves };
    skid_buffer::buffer(m, "out", answer).output(m, channels[RESP].name);
}

/// The request at the ports, with its bits; what is malformed raises the error, and only its queries enter.
fn incoming<'p, 'm>(
    m: &'m ModuleBuilder,
    p: &'p Params,
    request: &Stream<'m>,
    errors: &Channel,
) -> Stage<'p, 'm> {
    let get = |name: &str| request.payload.get(name);
    let (op, wavefront) = (get("op"), get("wavefront"));
    let is_malformed =
        (op.ne(Op::ClearAll as u64) & wavefront.ge(p.wavefronts)).named("is_malformed");
    let error = m.reg("malformed_came", 1, 0).doc("The last clock had a malformed request.");
    error.set(request.fires() & is_malformed);
    m.output("error_valid", *error);
    m.output("error_code", m.lit(1, NO_SUCH_WAVEFRONT)).doc(errors.codes());

    let hashes = Hashes::new(p).0;
    let index = |(i, hash): (usize, &H3)| hash.circuit(get("line")).named(&index_name(i));
    let values = [op, wavefront].into_iter().chain(hashes.iter().enumerate().map(index));
    let fields = Record::new(&request_fields(p).and(index_fields(p)), values.collect());
    let valid = request.valid & (!is_malformed | op.eq(Op::Query as u64));
    Stage { p, valid: valid.named("enters"), fields }
}

/// The row of the request in stage 1, with all that is ahead of it; stage 2 writes its own if it inserts.
fn read<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    [stage0, stage1, stage2]: [&Stage<'_, 'm>; 3],
    moves: Signal<'m>,
    (inserts, row_after): (Signal<'m>, Signal<'m>),
) -> Signal<'m> {
    let rows = m
        .memory("rows", p.rows(), p.row_bits(), 1, Collision::Undefined)
        .doc("A wavefront's filter a row, sub-array 0 in the lowest bits.");
    rows.write(inserts & moves, stage2.row(), row_after);
    let row_read = rows.read("row_read", moves, stage0.row());
    let was_written =
        m.reg_without_reset("was_written", 1).doc("The row was written at the edge of its read.");
    let row_before = m.reg_without_reset("row_before", p.row_bits()).doc("The row written last.");
    m.when(moves, || {
        was_written.set(inserts & stage0.row().eq(stage2.row()));
        row_before.set(row_after);
    });
    let is_written = (inserts & stage1.row().eq(stage2.row())).named("is_written");
    is_written.mux(row_after, was_written.mux(*row_before, row_read)).named("stage1_row")
}

/// Keeps the valid bits, and gives that of the request in stage 2.
fn live<'m>(
    m: &'m ModuleBuilder,
    [stage1, stage2]: [&Stage<'_, 'm>; 2],
    moves: Signal<'m>,
    inserts: Signal<'m>,
) -> Signal<'m> {
    let wavefronts = stage2.p.wavefronts;
    let live = m.reg("live", wavefronts, 0).doc("Wavefronts whose rows say something.");
    let wavefront = stage2.wavefront();
    let clears = stage2.is(Op::Clear).named("clears");
    let clears_all = stage2.is(Op::ClearAll).named("clears_all");
    let sets = wavefront.and_where(inserts);
    let cleared = wavefront.and_where(clears) | clears_all.repeat(wavefronts);
    let live_after = ((*live | sets) & !cleared).named("live_after");
    let stage2_live = m.reg_without_reset("stage2_live", 1);
    m.when(moves, || {
        live.set(live_after);
        stage2_live.set((live_after & stage1.wavefront()).any());
    });
    *stage2_live
}

/// The row of stage 2 with the bits of its line, and whether it has them already.
fn compare<'m>(
    m: &'m ModuleBuilder,
    stage2: &Stage<'_, 'm>,
    row: Signal<'m>,
) -> (Signal<'m>, Signal<'m>) {
    let p = stage2.p;
    let (mut after, mut has) = (Vec::new(), Vec::new());
    for i in 0..p.sub_arrays {
        let sub_array = row.slice(i * p.bits..(i + 1) * p.bits);
        let bit = stage2.bit(i).named(&format!("bit{i}"));
        after.push(sub_array | bit);
        has.push((sub_array & bit).any().named(&format!("has{i}")));
    }
    (m.concat_low_first(&after), m.concat_low_first(&has).all().named("hit"))
}
