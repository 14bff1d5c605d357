//! The end of a walk that found no place in the banks: the entry goes to the stash, to the overflow
//! space, or to the Bloom filter.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::control::Control;
use super::stage::entry_fields;
use super::stash::Stash;
use crate::getm_metadata::params::Params;

/// Where an entry goes that has left the banks.
pub(super) struct Left<'m> {
    /// The slot of the stash, one-hot; none if there is no stash.
    pub slot: Option<Signal<'m>>,
    /// To the overflow space.
    pub overflows: Signal<'m>,
    /// `victim` goes to the Bloom filter: the entry itself, or the one that made room in the stash.
    pub evicts: Signal<'m>,
    pub victim: Record<'m>,
}

pub(super) fn leave<'m>(
    m: &'m ModuleBuilder,
    p: &Params,
    control: &Control<'m>,
    stash: &Stash<'m>,
    moving: &Record<'m>,
) -> Left<'m> {
    let reserved = moving.get("writes").any().named("moving_is_reserved");
    let stays = (control.leave & reserved).named("moving_stays");
    let goes = control.leave & !reserved;
    let (slot, in_stash, evicts, victim) = match stash.room(m, p) {
        None => (None, m.lit(1, 0), goes, moving.pack()),
        Some((slot, victim)) => {
            let taken = slot.and_where(stays).named("stash_taken");
            let makes_room = stays & victim.get("valid");
            let victim = reserved.mux(victim.pack(), moving.pack());
            (Some(taken), slot.any(), goes | makes_room, victim)
        }
    };
    let overflows = (stays & !in_stash).named("overflows");
    Left { slot, overflows, evicts, victim: Record::unpack(&entry_fields(p), victim) }
}
