//! Asynchronous copies of a warp.
//!
//! What has been read waits in the warp until a wait or an `mbarrier` makes it due, and then goes to
//! shared memory: a thread that does not wait for it finds what was there before.

use super::access::{Access, lanes_of};
use super::problem::Problem;
use super::registers::LANES;
use super::step::Step;
use super::warp::{Surroundings, Warp};
use crate::isa::{AccessForm, AccessKind, AtomicOp, CopyForm, MbarrierOp, Operation, Space};

/// Copies that a warp keeps: older ones are due.
const MOST_KEPT: usize = 1024;

/// What threads of a warp have asked for, in the order of the program.
#[derive(Debug)]
enum Entry {
    Copy(Copy),
    /// These lanes have ended a group.
    Commit(u32),
    /// An operation on mbarriers, for each lane when its earlier copies have been made, or at once.
    Mbarrier {
        access: Box<Access>,
        at_once: bool,
    },
}

#[derive(Debug)]
struct Copy {
    number: u32,
    /// The store to shared memory, in the lanes that have not made it.
    store: Box<Access>,
    /// What is stored has been read.
    is_read: bool,
    /// Lanes that may make it, and those whose threads wait for it.
    due: u32,
    awaited: u32,
}

/// Asynchronous copies of a warp, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Copies {
    entries: Vec<Entry>,
    next: u32,
    /// Bytes of the instruction in work that earlier steps have begun to copy.
    begun: u32,
}

impl Copies {
    fn copies(&mut self) -> impl DoubleEndedIterator<Item = &mut Copy> {
        self.entries.iter_mut().filter_map(|entry| match entry {
            Entry::Copy(copy) => Some(copy),
            _ => None,
        })
    }

    fn begin(&mut self, store: Box<Access>, is_read: bool) -> u32 {
        self.next = self.next.wrapping_add(1);
        let copy = Copy { number: self.next, store, is_read, due: 0, awaited: 0 };
        self.entries.push(Entry::Copy(copy));
        let excess = self.entries.len().saturating_sub(MOST_KEPT);
        self.copies().take(excess).for_each(|copy| copy.due = u32::MAX);
        self.next
    }

    /// The answer of memory to the reading of a copy. Lanes that were left out get zeros.
    pub(super) fn read(&mut self, number: u32, access: &Access) {
        let Some(copy) = self.copies().find(|copy| copy.number == number) else { return };
        copy.is_read = true;
        for (data, read) in copy.store.data.iter_mut().zip(&access.data) {
            *data = std::array::from_fn(
                |lane| if access.mask >> lane & 1 != 0 { read[lane] } else { 0 },
            );
        }
    }

    /// Lanes wait for their copies, but not for those of their newest groups.
    pub(super) fn wait(&mut self, lanes: u32, newest: Option<u32>) {
        let mut groups_after = [0u32; LANES];
        for entry in self.entries.iter_mut().rev() {
            match entry {
                Entry::Commit(ended) => {
                    lanes_of(*ended).for_each(|lane| groups_after[lane] += 1);
                }
                Entry::Copy(copy) => {
                    let is_old =
                        |lane: &usize| newest.is_none_or(|most| groups_after[*lane] > most);
                    let old = lanes_of(lanes).filter(is_old);
                    let old = old.fold(0u32, |all, lane| all | 1 << lane);
                    copy.due |= old;
                    copy.awaited |= old;
                }
                Entry::Mbarrier { .. } => {}
            }
        }
    }

    /// Lanes end a group.
    pub(super) fn commit(&mut self, lanes: u32) {
        self.entries.push(Entry::Commit(lanes));
        self.forget();
    }

    /// Drops what is over: groups without copies are.
    fn forget(&mut self) {
        let mut copies = false;
        self.entries.retain(|entry| match entry {
            Entry::Copy(copy) => {
                copies |= copy.store.mask != 0;
                copy.store.mask != 0
            }
            Entry::Commit(_) => copies,
            Entry::Mbarrier { access, .. } => access.mask != 0,
        });
    }
}

/// Takes lanes of an access away from it.
fn split(access: &mut Box<Access>, lanes: u32) -> Option<Box<Access>> {
    let lanes = access.mask & lanes;
    access.mask &= !lanes;
    let mut part = (lanes != 0).then(|| access.clone())?;
    part.mask = lanes;
    Some(part)
}

/// The next piece of a copy: size and number of its elements.
fn piece(begun: u32, end: u32) -> (u8, u8) {
    let left = end - begun;
    let fits = |unit: &u32| *unit <= left && begun.is_multiple_of(*unit);
    let unit = [4, 2].into_iter().find(fits).unwrap_or(1);
    let count = if left / unit >= 4 { 4 } else { (left / unit).min(2) };
    (unit as u8, count as u8)
}

impl Warp {
    /// Begins a copy, in the lanes that read as many bytes as the first, or a piece of it: what is
    /// left is done in other steps.
    pub(super) fn copy(
        &mut self,
        form: &CopyForm,
        mask: u32,
        around: Surroundings,
        access: &mut Access,
    ) -> Result<Step, (Option<usize>, Problem)> {
        self.refuse_in_transaction("cp.async").map_err(|problem| (None, problem))?;
        let ignored = form.ignored.map_or(0, |it| self.registers.condition(around.image, it));
        let read = form.read.map_or([form.bytes; LANES], |it| *self.row::<u32>(around.image, it));
        let read = |lane: usize| if ignored >> lane & 1 != 0 { 0 } else { read[lane] };
        let first = mask.trailing_zeros() as usize % LANES;
        let wanted = read(first);
        if wanted > form.bytes {
            let problem = Problem::CopySize { read: wanted, bytes: form.bytes };
            return Err((Some(first), problem));
        }
        let same = lanes_of(mask).filter(|lane| read(*lane) == wanted);
        let group = same.fold(0u32, |all, lane| all | 1 << lane);
        let begun = self.copies.begun;
        let is_zero = begun >= wanted;
        let (unit, elements) = piece(begun, if is_zero { form.bytes } else { wanted });
        let mut store = Box::default();
        self.part(&form.to, group, around, [form.bytes, begun], &mut store)?;
        (store.kind, store.ty.bytes, store.elements) = (AccessKind::Store, unit, elements);
        if !is_zero {
            self.part(&form.from, group, around, [form.bytes, begun], access)?;
            (access.ty.bytes, access.elements) = (unit, elements);
        }
        let number = self.copies.begin(store, is_zero);
        let end = begun + u32::from(unit) * u32::from(elements);
        let is_whole = end == form.bytes;
        self.copies.begun = if is_whole { 0 } else { end };
        self.left = if is_whole { mask & !group } else { mask };
        if self.left == 0 {
            self.advance();
        }
        if is_zero {
            return Ok(Step::Copies);
        }
        access.copy = Some(number);
        Ok(Step::Access)
    }

    /// One side of a copy, from the bytes on that have been begun.
    fn part(
        &self,
        form: &AccessForm,
        lanes: u32,
        around: Surroundings,
        [bytes, begun]: [u32; 2],
        into: &mut Access,
    ) -> Result<(), (Option<usize>, Problem)> {
        self.fill_in(form, lanes, around.image, into);
        let is_off = |lane: &usize| !into.addresses[*lane].is_multiple_of(bytes.into());
        if let Some(lane) = into.lanes().find(is_off) {
            let (space, address) = (into.space, into.addresses[lane]);
            return Err((Some(lane), Problem::Misaligned { space, address, bytes }));
        }
        into.addresses.iter_mut().for_each(|at| *at = at.wrapping_add(begun.into()));
        Ok(())
    }

    /// Lanes end a group, wait for groups, or arrive after their copies.
    pub(super) fn copy_group(
        &mut self,
        operation: &Operation,
        mask: u32,
        around: Surroundings,
    ) -> Result<Step, (Option<usize>, Problem)> {
        match operation {
            Operation::CopyWait { newest } => self.copies.wait(mask, *newest),
            Operation::CopyArrive { mbarrier, expects } => {
                self.arrive_after_copies(mbarrier, *expects, mask, around)?;
            }
            _ => self.copies.commit(mask),
        }
        self.advance();
        Ok(match operation {
            Operation::CopyCommit => Step::Done,
            _ => Step::Copies,
        })
    }

    /// `cp.async.mbarrier.arrive`: lanes arrive when their copies have been made.
    fn arrive_after_copies(
        &mut self,
        form: &AccessForm,
        expects: bool,
        lanes: u32,
        around: Surroundings,
    ) -> Result<(), (Option<usize>, Problem)> {
        let mut access = Box::default();
        self.fill_in(form, lanes, around.image, &mut access);
        in_shared(&access).map_err(|(lane, problem)| (Some(lane), problem))?;
        self.copies.copies().for_each(|copy| copy.due |= lanes);
        if expects {
            let mut access = access.clone();
            access.kind = AccessKind::Atomic(AtomicOp::Mbarrier(MbarrierOp::Expect));
            self.copies.entries.push(Entry::Mbarrier { access, at_once: true });
        }
        self.copies.entries.push(Entry::Mbarrier { access, at_once: false });
        Ok(())
    }

    /// Whether threads wait for copies that have not been read.
    pub fn awaits_copies(&self) -> bool {
        self.copies.entries.iter().any(|entry| match entry {
            Entry::Copy(copy) => !copy.is_read && copy.awaited & copy.store.mask != 0,
            _ => false,
        })
    }

    /// What is to be done in shared memory now, in order.
    pub fn due(&mut self) -> Vec<Box<Access>> {
        let mut due = Vec::new();
        // Lanes with copies that have not been made.
        let mut behind = 0;
        for entry in &mut self.copies.entries {
            match entry {
                Entry::Copy(copy) => {
                    if copy.is_read {
                        due.extend(split(&mut copy.store, copy.due));
                    }
                    behind |= copy.store.mask;
                }
                Entry::Mbarrier { access, at_once: true } => due.extend(split(access, u32::MAX)),
                Entry::Mbarrier { access, at_once: false } => due.extend(split(access, !behind)),
                Entry::Commit(_) => {}
            }
        }
        self.copies.forget();
        due
    }
}

/// Refuses an `mbarrier` that does not lie in shared memory.
pub(super) fn in_shared(access: &Access) -> Result<(), (usize, Problem)> {
    let lane = access.mask.trailing_zeros() as usize % LANES;
    let address = access.addresses[lane];
    match access.space {
        Space::Shared => Ok(()),
        _ => Err((lane, Problem::Mbarrier { address, what: "it is not in shared memory".into() })),
    }
}
