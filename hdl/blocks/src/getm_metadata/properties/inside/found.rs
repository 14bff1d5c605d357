//! What stage 5 knows of its request's granule, and what it decides.

use warpsmith_rtl::library::one_hot;

use super::entries::Entry;
use super::{Inside, is_one_hot};
use crate::getm_metadata::channels::Op;
use crate::properties::INVARIANT;

impl<'m> Inside<'_, 'm> {
    pub(super) fn found_is_true(&self) {
        let (m, p) = (self.m, self.p);
        let signal = |name: &str, width| self.probes.signal(m, name, width);
        let busy = self.is_busy();
        let stage5 = &self.stages[4];
        let granule = self.granule5();
        let hits = signal("stage5_bank_hits", p.ways);
        let stash_hits = (p.stash > 0).then(|| signal("stage5_stash_hits", p.stash));
        let hit = signal("stage5_hit", 1);
        let candidates: Vec<_> =
            (0..p.ways as usize).map(|bank| self.in_bank(bank, stage5.rows[bank])).collect();
        let mut any = m.lit(1, 0);
        let mut places = Vec::new();
        for (bank, packed) in (0..).zip(&candidates) {
            places.push((format!("bank{bank}"), hits.bit(bank), Entry::new(p, *packed)));
        }
        for (slot, entry) in (0..).zip(&self.entries.stash) {
            let hits = stash_hits.expect("there is a stash");
            places.push((format!("stash{slot}"), hits.bit(slot), entry.clone()));
        }
        for (name, hit, entry) in places {
            any = any | hit;
            let known = !busy | hit.eq(entry.is_of(granule));
            self.invariant(&format!("stage5_{name}_hit"), known, "Stage 5 knows its hits.");
            let read = self.before.pack().eq(entry.metadata.pack());
            let kept = !(busy & hit) | read;
            self.invariant(&format!("stage5_{name}"), kept, "Stage 5 knows what is kept.");
        }
        self.invariant("stage5_hit", !busy | hit.eq(any), "Stage 5 knows whether it hits.");
        let misses = busy & !hit;
        self.invariant("asked", !self.asked.asked | (misses & self.asked.in_use), "Misses ask.");
        let looks = stage5.is(Op::Release)
            | ((stage5.is(Op::Load) | stage5.is(Op::Store)) & !stage5.request.get("warpts").all());
        self.invariant("asked_looks", !self.asked.asked | looks, "Who looks may ask.");

        let from_filter = misses & !self.asked.is_found();
        for time in ["wts", "rts"] {
            let rows = self.hashes.bloom.iter().enumerate();
            let rows =
                rows.map(|(way, hash)| self.filter.row(way, hash.circuit(granule)).get(time));
            let least = rows.reduce(|a, b| a.lt(b).mux(a, b)).expect("a way");
            let kept = !from_filter | self.before.get(time).eq(least);
            self.invariant(&format!("estimated_{time}"), kept, "Else it has the estimates.");
        }
        let free = !self.before.get("writes").any();
        self.invariant("estimated_free", !from_filter | free, "Nobody reserves what is nowhere.");

        let [wts, rts, writes, owner] =
            ["wts", "rts", "writes", "owner"].map(|field| self.before.get(field));
        let [warp, warpts, count] =
            ["warp", "warpts", "count"].map(|field| stage5.request.get(field));
        let later = signal("before_written_later", 1).eq(wts.gt(warpts))
            & signal("before_read_later", 1).eq(rts.gt(warpts));
        self.invariant("later", !busy | later, "Stage 5 knows what is later.");
        let in_time = if p.faithful { m.lit(1, 1) } else { wts.eq(warpts + 1) };
        let owned = signal("before_owned", 1).eq(owner.eq(warp) & in_time);
        self.invariant("owned", !busy | free | owned, "Stage 5 knows the owner.");
        let counted = stage5.is(Op::Release).mux(writes - count, writes + 1);
        let counted = signal("before_counted", p.write_count_bits).eq(counted);
        let matters = busy & (stage5.is(Op::Store) | !free);
        self.invariant("counted", !matters | counted, "Stage 5 knows what is counted.");

        // Where it goes if it is new, and where the entry of a walk goes.
        let access = stage5.is(Op::Load) | stage5.is(Op::Store);
        let is_new = from_filter & access & looks;
        let searches = is_new | self.state.place;
        let room = signal("stage5_room", p.ways);
        let room_is_free = signal("stage5_room_is_free", 1);
        self.invariant("room", !searches | is_one_hot(room), "A new entry has one place.");
        let there = one_hot::select(room, &candidates);
        let victim = &self.filter.entry5;
        let entry = Entry::new(p, there);
        let same = victim.valid.eq(entry.valid)
            & victim.granule.eq(entry.granule)
            & victim.metadata.pack().eq(entry.metadata.pack());
        self.invariant("victim", !searches | same, "It is known what is in its place.");
        let reserved = entry.valid & entry.metadata.get("writes").any();
        let is_free = room_is_free.eq(!reserved);
        self.invariant("room_is_free", !searches | is_free, "It is known whether it is free.");
        let evicts = self.filter.victim5.valid;
        let due = room_is_free & entry.valid;
        self.invariant("evicts_victim", !searches | evicts.eq(due), "What makes room goes.");
        let stays = busy & !is_new & !self.asked.is_found();
        self.invariant("evicts_if_new", !(stays & evicts), "Nothing makes room for nothing.");

        let found = self.asked.is_found();
        let last = stage5.is(Op::Release) & count.eq(writes);
        self.invariant("evicts_found", !found | evicts.eq(last), "What is free leaves.");
        let same = victim.granule.eq(granule) & victim.metadata.pack().eq(self.before.pack());
        self.invariant("victim_found", !found | same, "It is what was found.");
        self.invariant("found_reserved", !found | writes.any(), "What is found is reserved.");
        let here = found & granule.eq(self.monitor.chosen);
        let exact = self.before.pack().eq(self.asked.kept.pack());
        self.invariant("found_exact", !here | exact, "What is found is what was kept.");
    }

    /// The decision keeps every rule.
    pub(super) fn decisions_are_right(&self) {
        for (rule, kept) in &self.judged.rules {
            let name = format!("{INVARIANT}decided_{}", rule.name);
            self.m.assert(&name, !self.done | *kept, rule.rule);
        }
    }
}
