//! Places for blocks: sets of ways. Tags are in RAM; which ways are dirty is in registers, a bit a place.

use super::stage::Stage;
use crate::kit::*;
use crate::qr_write_cache::params::Params;

/// The places. One block begins at a clock: that of the request which is decided on.
pub(super) struct Places<'p, 'm> {
    m: &'m ModuleBuilder,
    p: &'p Params,
    tags: Vec<MemoryHandle<'m>>,
    /// Of each way, which sets are dirty.
    dirty: Vec<Reg<'m>>,
    /// The way in which that block begins, one-hot; none if none does.
    pub begins: Wire<'m>,
    /// The block of the request.
    pub request: Wire<'m>,
}

/// A way of a set, one-hot, and the number of the set.
#[derive(Clone, Copy)]
pub(super) struct At<'m> {
    pub set: Signal<'m>,
    pub way: Signal<'m>,
}

impl<'m> At<'m> {
    /// No way, unless the condition holds.
    pub fn only_where(self, condition: Signal<'m>) -> Self {
        Self { way: self.way.and_where(condition), ..self }
    }
}

/// A stage that reads the tags of its block's set.
pub(super) struct Lookup<'m> {
    pub stage: Stage<'m>,
    /// The ways that have the tag of the block: before this clock, and after it.
    pub before: Signal<'m>,
    pub after: Signal<'m>,
}

/// What a stage makes of a block that begins after the read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Newer {
    /// It may be the stage's.
    Compared,
    /// It is another's to drain: it has an entry of its own.
    Ignored,
}

impl<'p, 'm> Places<'p, 'm> {
    pub fn new(m: &'m ModuleBuilder, p: &'p Params) -> Self {
        let tags = |way| {
            let name = format!("way{way}_tags");
            m.memory(&name, p.sets, p.tag_bits(), 1, Collision::Undefined)
        };
        let dirty = |way| m.reg(&format!("way{way}_dirty"), p.sets, 0).doc("A byte is dirty.");
        Self {
            m,
            p,
            tags: (0..p.ways).map(tags).collect(),
            dirty: (0..p.ways).map(dirty).collect(),
            begins: m.wire("begins", p.ways),
            request: m.wire("block_of_request", p.block_bits),
        }
    }

    pub fn set(&self, block: Signal<'m>) -> Signal<'m> {
        block.truncate(self.p.set_bits())
    }

    fn tag(&self, block: Signal<'m>) -> Signal<'m> {
        block.slice(self.p.set_bits()..self.p.block_bits)
    }

    /// The ways of a block's set that are dirty.
    pub fn dirty(&self, block: Signal<'m>) -> Signal<'m> {
        let set = self.set(block);
        column(self.m, self.dirty.iter().map(|dirty| dirty.shift_right(set).bit(0)))
    }

    /// The number of a place.
    pub fn number(&self, at: At<'m>) -> Signal<'m> {
        match self.p.ways {
            1 => at.set,
            _ => at.set.concat(one_hot::encode(at.way)),
        }
    }

    /// Whether two blocks have one set, and one tag.
    pub fn compare(&self, one: Signal<'m>, other: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
        (self.set(one).eq(self.set(other)), self.tag(one).eq(self.tag(other)))
    }

    /// The same of a block in the stage of that name and of the request's.
    pub fn compare_request(&self, stage: &str, block: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
        let (set, tag) = self.compare(block, *self.request);
        let named = |of: Signal<'m>, what: &str| of.named(&format!("{stage}_{what}_is_request"));
        (named(set, "set"), named(tag, "tag"))
    }

    /// The ways that have a tag after this clock. `compared` is whether the request has the set, and the tag.
    pub fn after(
        &self,
        newer: Newer,
        before: Signal<'m>,
        compared: (Signal<'m>, Signal<'m>),
    ) -> Signal<'m> {
        let (same_set, same_tag) = compared;
        let begins = self.begins.and_where(same_set);
        match newer {
            Newer::Compared => (before & !begins) | begins.and_where(same_tag),
            Newer::Ignored => before & !begins,
        }
    }

    /// A stage that takes a stream, and reads tags for it.
    pub fn lookup(&self, name: &str, newer: Newer, input: &Stream<'m>) -> Lookup<'m> {
        let Self { m, p, begins, .. } = self;
        let stage = Stage::new(m, name, input);
        let (arriving, block) = (stage.next.get("block"), stage.payload.get("block"));
        let next = self.compare_request(&format!("{name}_next"), arriving);
        let now = self.compare_request(name, block);
        let read = self.tags.iter().enumerate().map(|(way, tags)| {
            let name = format!("{name}_way{way}_tag");
            tags.read(&name, stage.advances, self.set(arriving)).eq(self.tag(block))
        });
        let read = column(m, read).named(&format!("{name}_read_match"));
        // Ways in which a block has begun since the read, or at its edge, and those of them that have the tag.
        let begun = m.reg_without_reset(&format!("{name}_begun"), p.ways);
        m.when(stage.advances, || begun.set(begins.and_where(next.0)))
            .otherwise(|| begun.set(*begun | begins.and_where(now.0)));
        let before = match newer {
            Newer::Compared => {
                let matches = m.reg_without_reset(&format!("{name}_begun_match"), p.ways);
                m.when(stage.advances, || matches.set(next.1.repeat(p.ways)))
                    .otherwise(|| matches.set(self.after(newer, *matches, now)));
                (read & !*begun) | (*matches & *begun)
            }
            Newer::Ignored => read & !*begun,
        };
        let before = before.named(&format!("{name}_match"));
        let after = self.after(newer, before, now);
        Lookup { stage, before, after }
    }

    /// Ways that are dirty after the edge, and that are no more.
    pub fn update(&self, fills: At<'m>, clears: At<'m>) {
        let Self { m, p, tags, dirty, begins, request } = self;
        let sets = |at: At<'m>, name: &str| one_hot::decode(at.set, p.sets).named(name);
        let (fill_sets, clear_sets) = (sets(fills, "fill_sets"), sets(clears, "clear_sets"));
        let (mut filled, mut cleared) = (Vec::new(), Vec::new());
        for (way, (tags, dirty)) in (0..).zip(tags.iter().zip(dirty)) {
            tags.write(begins.bit(way), self.set(**request), self.tag(**request));
            let fills = fill_sets.and_where(fills.way.bit(way));
            let clears = clear_sets.and_where(clears.way.bit(way));
            dirty.set((**dirty & !clears) | fills);
            filled.push((fills & **dirty & !clears).any());
            cleared.push((clears & !**dirty).any());
        }
        m.assert(
            "fills_free",
            !any_of(filled),
            "A block begins in a way that is not dirty, or is no more.",
        );
        m.assert("clears_dirty", !any_of(cleared), "What is written through is dirty.");
    }
}
