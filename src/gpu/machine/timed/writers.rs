//! Stores to one word of memory, to tell who wrote it.

use super::Run;
use crate::isa::AccessKind;
use crate::machine::fault::Thread;
use crate::simt::Access;

/// A store or an atomic that a warp has issued to the watched word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Write {
    /// The module and the line in it.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The thread.
    pub thread: Thread,
    /// The whole word that it stores; none for atomics, and for parts of the word.
    pub value: Option<u32>,
}

/// A word of memory, and the stores to it in the order in which they were issued.
#[derive(Debug, Default)]
pub(super) struct Watch {
    /// Its place in the contents of memory.
    pub place: u64,
    pub writes: Vec<Write>,
}

/// The word that a lane stores, if it stores to the place, and if it stores all of it.
fn stored(access: &Access, lane: usize, place: u64) -> Option<Option<u32>> {
    let first = access.addresses[lane];
    if access.kind == AccessKind::Load
        || first >= place + 4
        || first + u64::from(access.bytes()) <= place
    {
        return None;
    }
    let is_whole = access.kind == AccessKind::Store && access.ty.bytes == 4 && first <= place;
    let element = (place.saturating_sub(first) / 4) as usize;
    Some(is_whole.then(|| access.data[element][lane] as u32))
}

impl Run<'_> {
    /// Notes the stores of an access to the watched word.
    #[cold]
    pub(super) fn note_writes(&mut self, core: u32, slot: u32, access: u32) {
        let Some(watch) = &mut self.watch else { return };
        let access = &self.shared.accesses.get(access).access;
        let Some((cta, warp)) = self.cores[core as usize].cta_mut(slot) else { return };
        let identity = cta.warps[warp].0.identity;
        let program = &self.image.program;
        for lane in access.lanes() {
            if let Some(value) = stored(access, lane, watch.place) {
                let (file, line) = (program.file.clone(), program.lines[access.pc as usize]);
                let thread = Thread::of(&identity, Some(lane));
                watch.writes.push(Write { file, line, thread, value });
            }
        }
    }
}
