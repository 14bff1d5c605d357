//! What is true of granules, and what it means for an answer.

use crate::getm_metadata::access::{Metadata, Verdict};
use crate::getm_metadata::channels::{Misuse, Op};
use crate::getm_metadata::params::Params;
use crate::getm_metadata::rules;
use crate::kit::*;

/// What an ideal table without limits knows.
#[derive(Clone)]
pub(crate) struct Truth<'m> {
    /// Of the chosen granule.
    pub metadata: Record<'m>,
    /// Of each granule, whether it is reserved: of those that are not chosen, as answers say.
    pub reserved: Signal<'m>,
}

/// A request with its answer, and what is to be thought of it.
pub(crate) struct Judged<'m> {
    /// Whether each rule is kept.
    pub rules: Vec<(Rule, Signal<'m>)>,
    /// It is about the chosen granule.
    pub here: Signal<'m>,
    pub error: Signal<'m>,
    /// The code which that has.
    pub code: Signal<'m>,
    pub after: Truth<'m>,
}

/// What is known of whether a request is malformed.
struct Malformed<'m> {
    must: Signal<'m>,
    may: Signal<'m>,
    code: Signal<'m>,
}

impl<'m> Truth<'m> {
    /// Whether a request is malformed; `ops` are load, store, release and clear.
    fn malformed(
        &self,
        request: &Record<'m>,
        [load, store, release, clear]: [Signal<'m>; 4],
        here: Signal<'m>,
        of_granule: Signal<'m>,
    ) -> Malformed<'m> {
        let code = |misuse: Misuse| here.module().lit(2, misuse as u64);
        let count = request.get("count");
        let is_reserved = (self.reserved & of_granule).any();
        let last = (load | store) & request.get("warpts").all();
        let wrong_count = count.eq(0) | (here & count.gt(self.metadata.get("writes")));
        let must = last | (clear & self.reserved.any()) | (release & (!is_reserved | wrong_count));
        let of_release = is_reserved.mux(code(Misuse::WrongCount), code(Misuse::NotReserved));
        let of_others = clear.mux(code(Misuse::ClearWhileReserved), code(Misuse::LastTimestamp));
        // How many writes are under way to others is not known.
        let may = must | (release & !here);
        Malformed { must, may, code: release.mux(of_release, of_others) }
    }

    /// Judges the answer to a request.
    pub fn judge(
        &self,
        p: &Params,
        chosen: Signal<'m>,
        request: &Record<'m>,
        answer: &Record<'m>,
    ) -> Judged<'m> {
        let m = chosen.module();
        let is = |op: Op| request.get("op").eq(op as usize);
        let says = |verdict: Verdict| answer.get("verdict").eq(verdict as usize);
        let [wts, rts, writes, owner] =
            ["wts", "rts", "writes", "owner"].map(|field| self.metadata.get(field));
        let [warp, warpts, count] = ["warp", "warpts", "count"].map(|field| request.get(field));
        let granule = p.granule(request.get("address"));
        let (release, clear) = (is(Op::Release), is(Op::Clear));
        let here = !clear & granule.eq(chosen);
        let (load, store) = (is(Op::Load), is(Op::Store));

        // Malformed requests.
        let of_granule = one_hot::decode(granule, self.reserved.width());
        let ops = [load, store, release, clear];
        let Malformed { must, may, code } = self.malformed(request, ops, here, of_granule);
        let error = says(Verdict::Error);
        let told = ["wts", "rts", "reserved"].map(|field| answer.get(field).any());
        let zeros = !(told[0] | told[1] | told[2]);
        let error_as_due = (!must | error) & (!error | (may & zeros));
        let success = says(Verdict::Success);
        let answered = error | success | ((load | store) & !answer.get("verdict").all());

        // Accesses.
        let reserved = writes.any();
        let in_time = match p.faithful {
            true => m.lit(1, 1),
            false => wts.eq(warpts + 1),
        };
        let mine = reserved & owner.eq(warp) & in_time;
        let full = writes.all();
        let proceeds = success | says(Verdict::Park);
        let written_later = answer.get("wts").gt(warpts);
        let read_later = answer.get("rts").gt(warpts);
        let causes = [
            (Verdict::AbortWar, load & written_later & !mine),
            (Verdict::AbortWaw, store & written_later & !mine),
            (Verdict::AbortRaw, store & read_later & !written_later & !mine),
            (Verdict::AbortCount, store & mine & full),
        ];
        let caused = causes.map(|(verdict, cause)| says(verdict) & cause);
        let caused = proceeds | any_of(caused);

        let stores = store & success;
        let reads = load & success & rts.lt(warpts);
        let begins = stores & !mine;
        let writes_after = release.mux(writes - count, stores.mux(mine.mux(writes + 1, 1), writes));
        let reserved_after = writes_after.any();
        let exact = (!reserved | answer.get("wts").eq(wts))
            & answer.get("reserved").eq(reserved_after)
            & !(stores & mine & full);

        let told = here & !error;
        let access = told & (load | store);
        let kept = vec![
            (rules::ERROR_AS_DUE, error_as_due),
            (
                rules::NEVER_TOO_EARLY,
                !told | (answer.get("wts").ge(wts) & answer.get("rts").ge(rts)),
            ),
            (rules::RESERVED_EXACT, !told | exact),
            (rules::NO_LATER_WRITE_IS_READ, !(access & load & proceeds & written_later) | mine),
            (
                rules::NO_SEEN_VALUE_IS_CHANGED,
                !(access & store & proceeds & (written_later | read_later)) | mine,
            ),
            (rules::RESERVED_IS_THE_OWNERS, !(access & proceeds) | success.eq(!reserved | mine)),
            (rules::ABORT_HAS_A_CAUSE, !access | caused),
            (rules::ONE_ANSWER, answered),
        ];

        let clears = clear & success;
        let after = [
            begins.mux(warpts + 1, wts),
            reads.mux(warpts, rts),
            writes_after,
            begins.mux(warp, owner),
        ];
        let fields = self.metadata.fields();
        let after = told.mux(Record::new(fields, after.to_vec()).pack(), self.metadata.pack());
        let others = self.reserved & !of_granule;
        let noted = others | of_granule.and_where(answer.get("reserved"));
        let reserved = (!error & !clear).mux(noted, self.reserved);
        Judged {
            rules: kept,
            here,
            error,
            code,
            after: Truth {
                metadata: Record::unpack(fields, after.and_where(!clears)),
                reserved: reserved.and_where(!clears),
            },
        }
    }

    pub fn or_where(&self, condition: Signal<'m>, other: &Truth<'m>) -> Self {
        let metadata = condition.mux(other.metadata.pack(), self.metadata.pack());
        Self {
            metadata: Record::unpack(self.metadata.fields(), metadata),
            reserved: condition.mux(other.reserved, self.reserved),
        }
    }
}

/// What is true, in registers.
pub(super) struct Remembered<'m> {
    metadata: Held<'m>,
    reserved: Reg<'m>,
}

impl<'m> Remembered<'m> {
    /// Nothing was accessed yet.
    pub fn new(m: &'m ModuleBuilder, p: &Params, name: &str) -> Self {
        let metadata = Held::zero(m, name, &Metadata::fields(p));
        Self { metadata, reserved: m.reg(&format!("{name}_reserved"), 1 << p.granule_bits(), 0) }
    }

    pub fn get(&self) -> Truth<'m> {
        Truth { metadata: self.metadata.get().clone(), reserved: *self.reserved }
    }

    pub fn set(&self, truth: &Truth<'m>) {
        self.metadata.set(&truth.metadata);
        self.reserved.set(truth.reserved);
    }
}

/// Whether the fields of that name are the same in both.
pub(super) fn same<'m>(a: &Record<'m>, b: &Record<'m>, fields: &[&str]) -> Signal<'m> {
    let m = a.get(fields[0]).module();
    all_of(m, &fields.iter().map(|field| a.get(field).eq(b.get(field))).collect::<Vec<_>>())
}
