//! What the properties remember, and the rules that they assert at the ports.

use crate::kit::*;
use crate::zbuffer_commit::channels::Misuse;
use crate::zbuffer_commit::params::Params;
use crate::zbuffer_commit::rules;

/// The chosen lane, and what a request comes to for it.
pub(super) struct Chosen<'m> {
    pub block: Signal<'m>,
    pub lane: Signal<'m>,
    bit: Signal<'m>,
}

impl<'m> Chosen<'m> {
    fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let lane = m.input("chosen_lane", p.lanes.ilog2());
        Self { block: m.input("chosen_block", p.block_bits()), lane, bit: m.input("chosen_bit", 5) }
    }

    fn of_lane(&self, values: Signal<'m>, width: u32) -> Signal<'m> {
        let lanes = values.width() / width;
        let values: Vec<_> = (0..lanes).map(|i| values.slice(i * width..(i + 1) * width)).collect();
        one_hot::select(one_hot::decode(self.lane, lanes), &values)
    }

    /// Of depths of a block that of the lane.
    pub fn depth(&self, p: &Params, depths: Signal<'m>) -> Signal<'m> {
        self.of_lane(depths, p.depth_bits)
    }

    /// Of a mask of bytes whether it has the lane.
    pub fn asked(&self, mask: Signal<'m>) -> Signal<'m> {
        self.of_lane(mask, 4).bit(0)
    }

    /// Of the data the bit.
    pub fn value(&self, data: Signal<'m>) -> Signal<'m> {
        self.of_lane(data, 32).shift_right(self.bit).bit(0)
    }
}

/// What is remembered of a request to the chosen block.
pub(super) fn due_fields(p: &Params) -> Fields {
    Fields::new()
        .with("id", p.id_bits, "")
        .with("depth", p.depth_bits, "")
        .with("asked", 1, "the lane is in its mask")
        .with("value", 1, "the chosen bit of its data")
}

/// The ports of the unit, and what is remembered of what they showed.
pub(super) struct Monitor<'p, 'm> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    pub chosen: Chosen<'m>,
    pub req: Watched<'m>,
    pub ack: Watched<'m>,
    pub zread: Watched<'m>,
    pub zdata: Watched<'m>,
    pub zwrite: Watched<'m>,
    pub color: Watched<'m>,
    pub reset: Watched<'m>,
    pub zclear: Watched<'m>,
    pub reset_done: Watched<'m>,
    /// A request is taken that is malformed, and why.
    pub misused: Signal<'m>,
    pub code: Signal<'m>,
    /// A well-formed request is taken.
    pub enters: Signal<'m>,
    /// Ids of requests that are not acknowledged.
    pub ids: Reg<'m>,
    /// Requests to the chosen block, the oldest first.
    pub due: Queue<'m>,
    /// The color of the oldest was presented, and not acknowledged.
    pub colored: Reg<'m>,
    pub unwritten: Reg<'m>,
    pub color_entry: Reg<'m>,
    /// The smallest depth that has come.
    pub smallest: Reg<'m>,
    /// The Z-cache has the chosen block's depths; they are being read, or written back, by those entries.
    pub cached: Reg<'m>,
    pub reading: Reg<'m>,
    pub writing: Reg<'m>,
    /// They were asked for, or are with the L2 to be written.
    pub l2_depth: Reg<'m>,
    pub writing_depth: Reg<'m>,
    pub reading_entry: Reg<'m>,
    pub writing_entry: Reg<'m>,
    /// Transfers that are not answered, by entry.
    pub reads: Reg<'m>,
    pub writes: Reg<'m>,
    pub colors: Reg<'m>,
    /// How far a reset has come: 0 none, 1 taken, 2 zclear presented, 3 zclear taken, 4 cleared.
    pub resetting: Reg<'m>,
    /// `zclear` is presented for the first time.
    pub cleared_now: Signal<'m>,
    /// Offers that are presented for the first time.
    pub new_ack: Signal<'m>,
    pub new_color: Signal<'m>,
    pub new_zread: Signal<'m>,
    pub new_zwrite: Signal<'m>,
}

impl<'p, 'm> Monitor<'p, 'm> {
    /// Watches the ports and asserts the rules.
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let [
            req,
            ack,
            zread,
            zdata,
            zwrite,
            zwrite_ack,
            color,
            color_ack,
            reset,
            zclear,
            zclear_ack,
            reset_done,
            error,
        ] = Watched::all(m, p);
        let chosen = Chosen::new(m, p);
        let is_new = |name: &str, channel: &Watched<'m>| {
            channel.valid & !last_clock(m, &format!("{name}_shown_before"), channel.waits())
        };
        let [new_ack, new_color, new_zread, new_zwrite] =
            [("ack", &ack), ("color", &color), ("zread", &zread), ("zwrite", &zwrite)]
                .map(|(name, channel)| is_new(name, channel).named(&format!("new_{name}")));
        let block_of = |channel: &Watched<'m>| p.block(channel.get("address"));
        let here = |channel: &Watched<'m>| block_of(channel).eq(chosen.block);

        // Requests, and what is wrong with them.
        let misaligned = req.get("address").truncate(p.offset_bits()).any();
        let words = |lane: u32| req.get("mask").slice(4 * lane..4 * lane + 4);
        let part = any_of((0..p.lanes).map(|lane| words(lane).any() & !words(lane).all()));
        let misused = (req.fires() & (misaligned | part)).named("misused");
        let code = misaligned.mux(m.lit(1, Misuse::Misaligned as u64), Misuse::PartOfWord as u64);
        let enters = (req.fires() & !misused).named("enters");
        let raised = m.reg("code_due", 1, 0);
        raised.set(code);
        let due_now = last_clock(m, "error_due", misused);
        let as_due = error.valid.eq(due_now) & (!error.valid | error.get("code").eq(*raised));
        rules::ERROR_AS_DUE.assert(m, as_due);

        let all_ids = 1 << p.id_bits;
        let id_bit = |id: Signal<'m>| one_hot::decode(id, all_ids);
        let ids = m.reg("ids", all_ids, 0).doc("Ids of requests that are not acknowledged.");
        m.assume(
            "ids_differ",
            !(enters & (id_bit(req.get("id")) & *ids).any()),
            "Live requests have ids of their own.",
        );
        let acked = id_bit(ack.get("id")).and_where(new_ack);
        ids.set((*ids & !acked) | id_bit(req.get("id")).and_where(enters));

        // Requests to the chosen block.
        let due = Queue::new(m, "due", p.request_entries + 1, &due_fields(p));
        let oldest = due.oldest();
        let ack_here = (new_ack & due.any() & ack.get("id").eq(oldest.get("id"))).named("ack_here");
        let entry = vec![
            req.get("id"),
            req.get("depth"),
            chosen.asked(req.get("mask")),
            chosen.value(req.get("data")),
        ];
        due.set(enters & here(&req), &Record::new(&due_fields(p), entry), ack_here);
        let others =
            due.entries().skip(1).map(|(taken, entry)| taken & entry.get("id").eq(ack.get("id")));
        let overtakes = any_of(others);
        let is_live = (id_bit(ack.get("id")) & *ids).any();
        rules::ACKNOWLEDGED_ONCE.assert(m, !new_ack | (is_live & !overtakes));

        // What wins.
        let depth = m.reg("smallest", p.depth_bits, p.largest_depth());
        let wins =
            (oldest.get("asked") & oldest.get("depth").le_signed(*depth)).named("oldest_wins");
        let colored = m.reg("colored", 1, 0).doc("The oldest's color was presented.");
        let unwritten = m.reg("color_unwritten", 1, 0).doc("It is not acknowledged.");
        let color_entry = m.reg_without_reset("colored_entry", p.entry_bits());
        let color_here = (new_color & here(&color)).named("color_here");
        let color_acked = color_ack.valid & color_ack.get("entry").eq(*color_entry);
        m.when(ack_here, || colored.set(0));
        m.when(color_acked, || unwritten.set(0));
        m.when(color_here, || {
            colored.set(1);
            unwritten.set(1);
            color_entry.set(color.get("entry"));
        });
        rules::ONE_AT_A_TIME.assert(m, !color_here | (due.any() & !*colored));
        let masks = (0..p.lanes).map(|lane| color.get("mask").slice(4 * lane..4 * lane + 4));
        let whole = all_of(m, &masks.map(|word| !word.any() | word.all()).collect::<Vec<_>>());
        let as_due = chosen.asked(color.get("mask")).eq(wins)
            & chosen.value(color.get("data")).eq(oldest.get("value"))
            & whole
            & color.get("mask").any();
        rules::SMALLEST_WINS.assert(m, !color_here | as_due);
        rules::VISIBLE_FIRST.assert(m, !ack_here | (colored.mux(!*unwritten, !wins)));
        let cleared_now = zclear.valid & !last_clock(m, "zclear_shown_before", zclear.waits());
        let after = wins.mux(oldest.get("depth"), *depth);
        m.when(color_here, || depth.set(after));
        m.when(cleared_now, || depth.set(p.largest_depth()));

        // Transfers to the L2, which answers each once.
        let track = |name: &str,
                     asks: &Watched<'m>,
                     answers: &Watched<'m>,
                     width: u32,
                     is_new: Signal<'m>| {
            let bit = |channel: &Watched<'m>| one_hot::decode(channel.get("entry"), width);
            let open = m.reg(&format!("{name}_open"), width, 0);
            let answered = bit(answers).and_where(answers.valid);
            open.set((*open & !answered) | bit(asks).and_where(asks.fires()));
            let is_asked = !answers.valid | (bit(answers) & *open).any();
            m.assume(
                &format!("{name}_answered_once"),
                is_asked,
                "The L2 answers what it was asked.",
            );
            (open, !is_new | !(bit(asks) & *open).any())
        };
        let (reads, free_read) = track("zread", &zread, &zdata, p.comparator_entries, new_zread);
        let (writes, free_write) =
            track("zwrite", &zwrite, &zwrite_ack, p.comparator_entries, new_zwrite);
        let (colors, free_color) = track("color", &color, &color_ack, p.request_entries, new_color);
        rules::ENTRY_FREE.assert(m, free_read & free_write & free_color);

        // The depths of the chosen block.
        let state = |name: &str| m.reg(name, 1, 0);
        let (cached, reading, writing) = (state("cached"), state("reading"), state("writing"));
        let held = |name: &str, width| m.reg_without_reset(name, width);
        let (reading_entry, writing_entry) = (
            held("reading_entry", p.comparator_bits()),
            held("writing_entry", p.comparator_bits()),
        );
        let l2_depth = m.reg("l2_depth", p.depth_bits, p.largest_depth());
        let writing_depth = held("writing_depth", p.depth_bits);
        let (read_here, write_here) = (new_zread & here(&zread), new_zwrite & here(&zwrite));
        let data_here = zdata.valid & *reading & zdata.get("entry").eq(*reading_entry);
        let written_here = zwrite_ack.valid & *writing & zwrite_ack.get("entry").eq(*writing_entry);
        let returned = chosen.depth(p, zdata.get("depths")).eq(*l2_depth);
        m.assume("depths_returned", !data_here | returned, "The L2 returns what was written.");
        m.when(data_here, || {
            reading.set(0);
            cached.set(1);
        });
        m.when(written_here, || {
            writing.set(0);
            l2_depth.set(*writing_depth);
        });
        m.when(read_here, || {
            reading.set(1);
            reading_entry.set(zread.get("entry"));
        });
        let written = chosen.depth(p, zwrite.get("depths"));
        m.when(write_here, || {
            writing.set(1);
            cached.set(0);
            writing_entry.set(zwrite.get("entry"));
            writing_depth.set(written);
        });
        m.when(cleared_now, || cached.set(0));
        m.when(zclear_ack.valid, || l2_depth.set(p.largest_depth()));
        rules::READ_AFTER_WRITE.assert(m, !read_here | !*writing);
        rules::READ_ONCE.assert(m, !read_here | (due.any() & !*colored & !*cached & !*reading));
        let done = written.eq(*depth) | (due.any() & !*colored & written.eq(after));
        rules::WRITTEN_AS_COMPARED.assert(m, !write_here | (*cached & done));

        // Resets.
        let resetting = m.reg("resetting", 3, 0);
        let is = |state: u32| resetting.eq(state);
        m.assume("cleared_once", !zclear_ack.valid | is(3), "The L2 clears its depths once.");
        m.when(reset.fires(), || resetting.set(1));
        m.when(cleared_now, || resetting.set(2));
        m.when(zclear.fires(), || resetting.set(3));
        m.when(zclear_ack.valid, || resetting.set(4));
        m.when(reset_done.fires(), || resetting.set(0));
        let nothing = !ids.any() & !writes.any() & is(1);
        let reset_as_due = all_of(
            m,
            &[
                !(reset.fires() | req.fires()) | is(0),
                !cleared_now | nothing,
                !zclear.valid | is(1) | is(2),
                !reset_done.valid | is(4),
            ],
        );
        rules::RESET_AT_REST.assert(m, reset_as_due);
        Self {
            m,
            p,
            chosen,
            req,
            ack,
            zread,
            zdata,
            zwrite,
            color,
            reset,
            zclear,
            reset_done,
            misused,
            code,
            enters,
            ids,
            due,
            colored,
            unwritten,
            color_entry,
            smallest: depth,
            cached,
            reading,
            writing,
            l2_depth,
            writing_depth,
            reading_entry,
            writing_entry,
            reads,
            writes,
            colors,
            resetting,
            cleared_now,
            new_ack,
            new_color,
            new_zread,
            new_zwrite,
        }
    }

    /// Whether a transfer has the address of the chosen block.
    pub fn is_here(&self, channel: &Watched<'m>) -> Signal<'m> {
        self.p.block(channel.get("address")).eq(self.chosen.block)
    }

    /// Whether the oldest request wins the lane.
    pub fn wins(&self) -> Signal<'m> {
        let oldest = self.due.oldest();
        oldest.get("asked") & oldest.get("depth").le_signed(*self.smallest)
    }
}
