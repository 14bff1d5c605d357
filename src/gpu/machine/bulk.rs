//! Transfers beside the threads: bulk copies, `st.async` and `red.async`.
//!
//! Nothing is moved before it is waited for: what tells an `mbarrier`, when a thread tests that one; what is in
//! a bulk group, when its thread waits for the group.

use std::collections::HashMap;
use std::ops::Range;

use super::checkers::Checkers;
use super::cluster::place_of;
use super::races::Agent;
use crate::isa::{AccessKind, AtomicOp, Kind, MbarrierOp, Order, Scope, Space, Type};
use crate::memory::Flat;
use crate::simt::{Access, Bulk, Identity, LANES, Place, Problem, Transfer, lanes_of};

/// Something that is to be moved.
#[derive(Debug)]
struct Pending {
    /// The warp that has asked for it, and the place of its CTA.
    identity: Identity,
    slot: usize,
    /// The group of its thread, where it tells no `mbarrier`.
    group: u32,
    transfer: Transfer,
    agent: Option<Agent>,
}

/// All that is to be moved, in the order in which it was asked for.
#[derive(Debug, Default)]
pub(super) struct Transfers {
    pending: Vec<Pending>,
    /// Groups that threads have ended, by the place of the CTA and the number of the thread.
    groups: HashMap<(usize, u32), u32>,
}

/// A problem of a transfer, and the thread that has asked for it.
pub(super) struct Wrong {
    pub(super) identity: Identity,
    pub(super) lane: usize,
    pub(super) pc: u32,
    pub(super) problem: Problem,
}

impl Transfers {
    /// A warp begins transfers, ends a group or waits.
    pub(super) fn step(
        &mut self,
        memory: &mut Flat,
        slot: usize,
        identity: &Identity,
        bulk: Bulk,
        checkers: &mut Checkers,
    ) -> Result<(), Box<Wrong>> {
        match bulk {
            Bulk::Begin(transfers) => {
                for transfer in transfers {
                    let thread = identity.thread(transfer.lane);
                    let group = self.groups.get(&(slot, thread)).copied().unwrap_or(0);
                    let agent = checkers
                        .races
                        .as_mut()
                        .and_then(|races| races.fork(identity, transfer.lane));
                    let identity = *identity;
                    self.pending.push(Pending { identity, slot, group, transfer, agent });
                }
                Ok(())
            }
            Bulk::Commit(lanes) => {
                for lane in lanes_of(lanes) {
                    *self.groups.entry((slot, identity.thread(lane))).or_default() += 1;
                }
                Ok(())
            }
            Bulk::Wait { lanes, newest, reads } => {
                let groups = std::mem::take(&mut self.groups);
                let ended = |it: &Pending| {
                    let thread = identity.thread(it.transfer.lane);
                    groups.get(&(slot, thread)).copied().unwrap_or(0)
                };
                let is_due = |it: &Pending| {
                    it.is_of(slot, identity)
                        && lanes >> it.transfer.lane & 1 != 0
                        && it.group.saturating_add(newest) < ended(it)
                };
                let done = self.move_those(memory, checkers, reads, is_due);
                self.groups = groups;
                done
            }
        }
    }

    /// A warp leaves the kernel: what of its groups has been read arrives, and the rest never does.
    pub(super) fn leave(
        &mut self,
        memory: &mut Flat,
        slot: usize,
        identity: &Identity,
        checkers: &mut Checkers,
    ) -> Result<(), Box<Wrong>> {
        self.pending.retain(|it| !it.is_of(slot, identity) || it.transfer.data.is_some());
        self.move_those(memory, checkers, false, |it| it.is_of(slot, identity))
    }

    /// The CTAs at these places are over.
    pub(super) fn end(&mut self, slots: Range<usize>) {
        self.pending.retain(|it| !slots.contains(&it.slot));
        self.groups.retain(|(slot, _), _| !slots.contains(slot));
    }

    /// Moves what tells an `mbarrier` that a thread tests.
    #[inline]
    pub(super) fn tested(
        &mut self,
        memory: &mut Flat,
        slot: usize,
        access: &Access,
        checkers: &mut Checkers,
    ) -> Result<(), Box<Wrong>> {
        match access.kind {
            AccessKind::Atomic(AtomicOp::Mbarrier(MbarrierOp::Test { .. }))
                if !self.pending.is_empty() =>
            {
                self.arrive(memory, slot, access, checkers)
            }
            _ => Ok(()),
        }
    }

    #[inline(never)]
    fn arrive(
        &mut self,
        memory: &mut Flat,
        slot: usize,
        access: &Access,
        checkers: &mut Checkers,
    ) -> Result<(), Box<Wrong>> {
        let is_due = |it: &Pending| {
            let Some(Place { rank, address, .. }) = it.transfer.mbarrier else { return false };
            let first = it.slot - it.identity.rank() as usize;
            let at = rank.map_or(it.slot, |rank| first + rank as usize);
            at == slot && access.lanes().any(|lane| access.addresses[lane] == address)
        };
        self.move_those(memory, checkers, false, is_due)
    }

    /// Moves what is due, or only reads it.
    fn move_those(
        &mut self,
        memory: &mut Flat,
        checkers: &mut Checkers,
        reads: bool,
        is_due: impl Fn(&Pending) -> bool,
    ) -> Result<(), Box<Wrong>> {
        for at in 0..self.pending.len() {
            let it = &mut self.pending[at];
            if is_due(it) {
                let moved = it.read(memory, checkers).and_then(|()| match reads {
                    true => Ok(()),
                    false => it.write(memory, checkers),
                });
                let (identity, lane, pc) = (it.identity, it.transfer.lane, it.transfer.pc);
                moved.map_err(|problem| Box::new(Wrong { identity, lane, pc, problem }))?;
                it.join(checkers);
            }
        }
        if !reads {
            self.pending.retain(|it| !is_due(it));
        }
        Ok(())
    }
}

impl Pending {
    /// Whether a warp waits for it by group.
    fn is_of(&self, slot: usize, identity: &Identity) -> bool {
        self.transfer.mbarrier.is_none() && (self.slot, self.identity.warp) == (slot, identity.warp)
    }

    /// Reads what is to be moved, if it has not been read.
    fn read(&mut self, memory: &mut Flat, checkers: &mut Checkers) -> Result<(), Problem> {
        let (None, Some(from)) = (&self.transfer.data, self.transfer.from) else { return Ok(()) };
        let mut data = vec![0; self.transfer.bytes as usize];
        let eight = Type { kind: Kind::Bits, bytes: 8 };
        self.access(memory, checkers, AccessKind::Load, eight, from, &mut data)?;
        self.transfer.data = Some(data);
        Ok(())
    }

    /// Writes it, and tells the `mbarrier`.
    fn write(&mut self, memory: &mut Flat, checkers: &mut Checkers) -> Result<(), Problem> {
        let Transfer { kind, ty, to, bytes, mbarrier, .. } = self.transfer;
        let mut data = self.transfer.data.take().unwrap_or_default();
        self.access(memory, checkers, kind, ty, to, &mut data)?;
        let Some(mbarrier) = mbarrier else { return Ok(()) };
        let kind = AccessKind::Atomic(AtomicOp::Mbarrier(MbarrierOp::CompleteBytes));
        let eight = Type { kind: Kind::Bits, bytes: 8 };
        self.access(memory, checkers, kind, eight, mbarrier, &mut u64::from(bytes).to_le_bytes())
    }

    /// Accesses memory, an element a lane.
    fn access(
        &mut self,
        memory: &mut Flat,
        checkers: &mut Checkers,
        kind: AccessKind,
        ty: Type,
        place: Place,
        data: &mut [u8],
    ) -> Result<(), Problem> {
        let slot = match place.rank {
            Some(rank) => place_of(memory, self.slot, &self.identity, rank, place.address)?,
            None if place.space == Space::Shared && memory.has_ended(self.slot) => {
                let (rank, address) = (self.identity.rank(), place.address);
                return Err(Problem::CtaEnded { rank, address });
            }
            None => self.slot,
        };
        let size = usize::from(ty.bytes);
        let mut access = Box::<Access>::default();
        (access.kind, access.ty, access.space) = (kind, ty, place.space);
        (access.rank, access.pc) = (place.rank, self.transfer.pc);
        if let AccessKind::Atomic(op) = kind {
            let is_told = matches!(op, AtomicOp::Mbarrier(_));
            access.order = if is_told { Order::Release } else { Order::Relaxed };
            access.scope = if is_told { Scope::Cluster } else { Scope::Gpu };
        }
        for (at, piece) in data.chunks_mut(size * LANES).enumerate() {
            let count = piece.len() / size;
            access.mask = u32::MAX >> (LANES - count);
            for (lane, element) in piece.chunks(size).enumerate() {
                let offset = (at * LANES + lane) * size;
                access.addresses[lane] = place.address.wrapping_add(offset as u64);
                access.data[0][lane] = word(element);
            }
            memory.access(slot, &mut access).map_err(|(_, problem)| problem)?;
            if let (Some(races), Some(agent)) = (&mut checkers.races, &mut self.agent) {
                races.access_of(agent, &self.identity, &access);
            }
            if let Some(check) = &mut checkers.memory {
                check.access(&mut memory.device, slot, &self.identity, &access);
            }
            for (lane, element) in piece.chunks_mut(size).enumerate() {
                element.copy_from_slice(&access.data[0][lane].to_le_bytes()[..size]);
            }
        }
        Ok(())
    }

    /// Orders a finished copy before what its thread does next.
    fn join(&mut self, checkers: &mut Checkers) {
        if let (Some(races), Some(agent)) = (&mut checkers.races, &mut self.agent)
            && self.transfer.mbarrier.is_none()
        {
            races.join(&self.identity, self.transfer.lane, agent);
        }
    }
}

fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
