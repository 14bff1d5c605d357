//! Checkers of data races and of memory, beside a kernel that runs.

use super::launch::{Checks, Launch};
use super::memory_check::MemoryCheck;
use super::races::Races;
use super::report::Warning;
use crate::isa::Kernel;
use crate::memory::Flat;
use crate::simt::{Access, Identity, Image};

/// Checkers of a launch; none unless it asks for one.
#[derive(Debug)]
pub(super) struct Checkers {
    pub(super) races: Option<Box<Races>>,
    pub(super) memory: Option<Box<MemoryCheck>>,
}

impl Checkers {
    /// Those of a launch.
    pub(super) fn new(image: &Image, kernel: &Kernel, launch: &Launch) -> Self {
        let memory = || Box::new(MemoryCheck::new(&image.program, kernel));
        Self {
            races: (launch.checks == Checks::Races).then(Box::default),
            memory: (launch.checks == Checks::Memory).then(memory),
        }
    }

    /// A CTA begins in a place.
    pub(super) fn begin(&mut self, slot: usize, identity: &Identity) {
        if let Some(races) = &mut self.races {
            races.begin(identity);
        }
        if let Some(memory) = &mut self.memory {
            memory.begin(slot);
        }
    }

    /// A warp's access has been made; to shared memory, that of the CTA in a place.
    #[inline]
    pub(super) fn access(
        &mut self,
        memory: &mut Flat,
        slot: usize,
        identity: &Identity,
        access: &Access,
    ) {
        if self.races.is_some() || self.memory.is_some() {
            self.look_at(memory, slot, identity, access);
        }
    }

    #[inline(never)]
    fn look_at(&mut self, memory: &mut Flat, slot: usize, identity: &Identity, access: &Access) {
        if let Some(races) = &mut self.races {
            races.access(identity, access);
        }
        if let Some(check) = &mut self.memory {
            check.access(&mut memory.device, slot, identity, access);
        }
    }

    /// What they have found in a launch.
    pub(super) fn warnings(&self, image: &Image, kernel: &Kernel, launch: &Launch) -> Vec<Warning> {
        let Launch { grid, block, .. } = *launch;
        let identity = Identity { grid, block, ..Identity::default() };
        let races = self.races.iter().flat_map(|it| it.warnings(image, kernel, identity));
        let memory = self.memory.iter().flat_map(|it| it.warnings(image, kernel));
        races.chain(memory).collect()
    }
}
