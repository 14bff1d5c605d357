//! The tags: a RAM a way, written only when the way gets another block.
//!
//! A request reads the tags of its set in stage 1, and up to three requests before it may fill ways
//! of the set at that edge or later. To compare tags, nothing is forwarded: requests are compared
//! with each other, one stage before it is needed. The tag itself is needed of a victim only, and
//! forwarded where a victim can be so young.

use crate::hmg_directory::params::{Params, Replacement};
use crate::kit::*;

/// The tags of the set of the request in stage 4.
pub(super) struct Tags<'m> {
    /// For each way, whether it has the tag of the request.
    pub same: Signal<'m>,
    /// The tag of each way. Where [`victim_may_be_in_flight`] says no, that of a way filled by one
    /// of the last three requests may be an old one.
    pub tags: Vec<Signal<'m>>,
}

/// Which earlier requests have the set of a request.
pub(super) struct SameSet<'m> {
    /// Of the one in stage 2, that in stage 5.
    pub second_in_fifth: Signal<'m>,
    /// Of the one in stage 3, that in stage 5.
    pub third_in_fifth: Signal<'m>,
    /// Of the one in stage 3, that in stage 4.
    pub third_in_fourth: Signal<'m>,
}

/// Whether a request may evict a block that one of the three requests before it has brought. LRU
/// of four ways or more never does.
pub(crate) fn victim_may_be_in_flight(p: &Params) -> bool {
    p.replacement != Replacement::Lru || p.ways < 4
}

/// Reads the tags for stage 4. `stages` are 1 to 4; `filled` is the way that stage 4 gives the tag
/// of its request, one-hot.
pub(super) fn tags<'m>(
    pipe: &Pipeline<'m, '_>,
    stages: [&Stage<'m>; 4],
    same_set: &SameSet<'m>,
    filled: Signal<'m>,
) -> Tags<'m> {
    let (p, [first, second, third, fourth]) = (pipe.p, stages);
    let third_same = pipe.same_tag("stage3_tag_in_stage5", second, fourth);
    let last_same = pipe.same_tag("stage3_tag_in_stage4", second, third);

    // The ways of the set of stages 2 and 3 that stage 5 has filled, and of that of stage 3 that stage 4 fills.
    let stage5_filled = pipe.register("stage5_filled", filled);
    let filled2 = stage5_filled.and_where(same_set.second_in_fifth).named("stage2_filled");
    let filled3 = stage5_filled.and_where(same_set.third_in_fifth).named("stage3_filled");
    let filled4 = filled.and_where(same_set.third_in_fourth).named("stage4_filled");
    let read = match victim_may_be_in_flight(p) {
        true => Read::Forwarded(pipe.register("stage5_tag", fourth.tag(p))),
        false => Read::Compared {
            filled: pipe.register("stage3_read_filled", filled2),
            same: pipe.register(
                "stage3_read_same_tag",
                pipe.same_tag("stage2_tag_in_stage5", first, fourth),
            ),
        },
    };

    let (mut same, mut tags) = (Vec::new(), Vec::new());
    for way in 0..p.ways {
        let name = format!("way{way}_tags");
        let ram = pipe.m.memory(&name, p.sets, p.tag_bits(), 1, Collision::Undefined);
        ram.write(filled.bit(way) & pipe.advance, fourth.index(p), fourth.tag(p));
        let now = ram.read(&format!("way{way}_tag_read"), pipe.advance, first.index(p));
        let now = read.newer(filled2.bit(way), now);
        let third_tag = pipe.register(&format!("stage3_way{way}_tag"), now);

        let compared = read.same(way, third_tag.eq(third.tag(p)));
        let compared = filled3.bit(way).mux(third_same, compared);
        let compared = compared.named(&format!("stage3_way{way}_same_tag"));
        same.push(filled4.bit(way).mux(last_same, compared));
        let tag = read.newer(filled3.bit(way), third_tag);
        let tag = match read {
            Read::Forwarded(_) => filled4.bit(way).mux(fourth.tag(p), tag),
            Read::Compared { .. } => tag,
        };
        tags.push(pipe.register(&format!("stage4_way{way}_tag"), tag));
    }
    let same = pipe.register("stage4_same_tag", column(pipe.m, same));
    Tags { same, tags }
}

/// What becomes of a tag that was written at the edge of its read.
enum Read<'m> {
    /// Stage 5 has it, and it is taken from there.
    Forwarded(Signal<'m>),
    /// It is not needed but to be compared.
    Compared {
        /// The ways for which that is so, for stage 3.
        filled: Signal<'m>,
        /// It is the tag of the request in stage 3.
        same: Signal<'m>,
    },
}

impl<'m> Read<'m> {
    /// The tag of a way that stage 5 has filled or not.
    fn newer(&self, filled: Signal<'m>, tag: Signal<'m>) -> Signal<'m> {
        match self {
            Read::Forwarded(newer) => filled.mux(*newer, tag),
            Read::Compared { .. } => tag,
        }
    }

    /// Whether a way had the tag of stage 3 after the read; `compared` is what its data says.
    fn same(&self, way: u32, compared: Signal<'m>) -> Signal<'m> {
        match self {
            Read::Forwarded(_) => compared,
            Read::Compared { filled, same } => filled.bit(way).mux(*same, compared),
        }
    }
}

// Stages: registers that move together.

/// What a request carries in a stage. One of its fields is `block`, the address without the place in the block.
pub(super) struct Stage<'m> {
    pub valid: Signal<'m>,
    pub fields: Record<'m>,
}

impl<'m> Stage<'m> {
    pub fn get(&self, name: &str) -> Signal<'m> {
        self.fields.get(name)
    }

    /// The set of the request's block.
    pub fn index(&self, p: &Params) -> Signal<'m> {
        self.get("block").truncate(p.index_bits())
    }

    /// The rest of its block.
    pub fn tag(&self, p: &Params) -> Signal<'m> {
        self.get("block").slice(p.index_bits()..p.index_bits() + p.tag_bits())
    }
}

/// What all stages have in common.
pub(super) struct Pipeline<'m, 'p> {
    pub m: &'m ModuleBuilder,
    pub p: &'p Params,
    /// The stages move at the edge.
    pub advance: Signal<'m>,
}

impl<'m> Pipeline<'m, '_> {
    /// A register that takes `value` when the stages move.
    pub fn register(&self, name: &str, value: Signal<'m>) -> Signal<'m> {
        let register = self.m.reg_without_reset(name, value.width());
        self.m.when(self.advance, || register.set(value));
        *register
    }

    pub fn stage(&self, name: &str, valid: Signal<'m>, fields: &Record<'m>) -> Stage<'m> {
        let valid_register = self.m.reg(&format!("{name}_valid"), 1, 0);
        self.m.when(self.advance, || valid_register.set(valid));
        let fields = record(fields.fields(), |field| {
            self.register(&format!("{name}_{}", field.name), fields.get(&field.name))
        });
        Stage { valid: *valid_register, fields }
    }

    /// Whether the next stage after `behind` holds a request to the set of the one after `ahead`:
    /// compared here, one stage before it is needed.
    pub fn same_set(&self, name: &str, behind: &Stage<'m>, ahead: &Stage<'m>) -> Signal<'m> {
        let same = behind.valid & ahead.valid & behind.index(self.p).eq(ahead.index(self.p));
        self.register(name, same)
    }

    /// As [`Pipeline::same_set`], of the tags.
    pub fn same_tag(&self, name: &str, behind: &Stage<'m>, ahead: &Stage<'m>) -> Signal<'m> {
        self.register(name, behind.tag(self.p).eq(ahead.tag(self.p)))
    }
}
