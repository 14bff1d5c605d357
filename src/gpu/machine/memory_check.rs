//! Wrong uses of memory that read or change something, and so do not stop a kernel: bytes that nobody has written,
//! freed blocks, the gaps between blocks, blocks that are never freed.

use std::collections::BTreeMap;

use bitvec::vec::BitVec;

use super::fault::Thread;
use super::report::Warning;
use crate::isa::{
    AccessKind, AtomicOp, GLOBALS_BASE, Kernel, MbarrierOp, Program, ProgramVariable,
    RESERVED_SHARED, Space,
};
use crate::memory::{Block, Device, Site};
use crate::simt::{Access, Allocation, Identity, Image, Lanes, Problem, lanes_of};

/// What is wrong, and what belongs to it.
#[derive(Debug, Clone)]
enum Wrong {
    /// A byte of global memory that nobody has written: its allocation, and the byte in it.
    Unwritten(String, u64),
    /// A byte of a shared variable that no thread of the CTA has written.
    UnwrittenShared(String, u64),
    /// A byte of a block that nobody has written since it was allocated.
    UnwrittenInBlock(Block, u64),
    /// A block that was freed.
    Freed(Block),
    /// No block, and the one before.
    Beside(Option<Block>),
    /// No variable, and the one before: its name, and its byte of it that is asked for.
    BesideVariable(String, u64),
    /// A block that was freed is freed.
    FreedTwice(Block),
}

/// The first of some findings of one kind at one instruction.
#[derive(Debug)]
struct Finding {
    wrong: Wrong,
    site: Site,
    address: u64,
    count: u64,
}

/// Looks for wrong uses of memory in a launch.
#[derive(Debug)]
pub(super) struct MemoryCheck {
    /// Variables of global memory, by their offsets.
    global_variables: Vec<ProgramVariable>,
    /// Where what no variable of the module has begins.
    buffers: u64,
    shared_variables: Vec<ProgramVariable>,
    dynamic_base: u64,
    /// Bytes of shared memory that are written, of each CTA that runs.
    shared: Vec<BitVec>,
    found: BTreeMap<(u32, u8), Finding>,
}

impl MemoryCheck {
    /// A launch of a kernel begins.
    pub(super) fn new(program: &Program, kernel: &Kernel) -> Self {
        let is_global = |it: &&ProgramVariable| it.space == Space::Global;
        Self {
            global_variables: program.variables.iter().filter(is_global).cloned().collect(),
            buffers: GLOBALS_BASE + program.globals.len() as u64,
            shared_variables: kernel.shared_variables.clone(),
            dynamic_base: kernel.dynamic_shared_base.into(),
            shared: Vec::new(),
            found: BTreeMap::new(),
        }
    }

    /// A CTA begins in a place.
    pub(super) fn begin(&mut self, slot: usize) {
        self.shared.resize(self.shared.len().max(slot + 1), BitVec::new());
        self.shared[slot].clear();
        let first = self.shared_variables.first();
        if let Some(reserved) = first.filter(|first| first.name == RESERVED_SHARED) {
            self.shared[slot].resize(reserved.bytes as usize, true);
        }
    }

    fn find(&mut self, kind: u8, site: Site, address: u64, wrong: impl FnOnce() -> Wrong) {
        let first = || Finding { wrong: wrong(), site, address, count: 0 };
        self.found.entry((site.pc, kind)).or_insert_with(first).count += 1;
    }

    /// An access that has been made.
    pub(super) fn access(
        &mut self,
        device: &mut Device,
        slot: usize,
        identity: &Identity,
        access: &Access,
    ) {
        for lane in access.lanes() {
            let site = Site { pc: access.pc, identity: *identity, lane };
            let address = access.addresses[lane];
            match access.space {
                Space::Shared => self.of_shared(slot, site, address, access),
                Space::Global => self.of_global(device, site, address, access),
                _ => {}
            }
        }
    }

    fn of_shared(&mut self, slot: usize, site: Site, address: u64, access: &Access) {
        let (start, bytes) = (address as usize, access.bytes() as usize);
        if address < self.dynamic_base && !has(&self.shared_variables, address, bytes) {
            let wrong = beside(&self.shared_variables, address);
            return self.find(1, site, address, || wrong);
        }
        let written = &mut self.shared[slot];
        if written.len() < start + bytes {
            written.resize(start + bytes, false);
        }
        let first = written[start..start + bytes].first_zero();
        written[start..start + bytes].fill(true);
        if let (Some(first), true) = (first, reads(access)) {
            let address = address + first as u64;
            let (name, byte) = match before(&self.shared_variables, address) {
                Some(variable) if address < self.dynamic_base => {
                    (variable.name.clone(), address - variable.offset)
                }
                _ => ("dynamic shared memory".to_string(), address - self.dynamic_base),
            };
            self.find(0, site, address, || Wrong::UnwrittenShared(name, byte));
        }
    }

    fn of_global(&mut self, device: &mut Device, site: Site, address: u64, access: &Access) {
        let bytes = access.bytes();
        let is_in_heap = device.is_in_heap(address);
        let Some(place) = device.place(address, bytes as usize) else { return };
        if address < self.buffers && !has(&self.global_variables, address, bytes as usize) {
            let wrong = beside(&self.global_variables, address);
            return self.find(1, site, address, || wrong);
        }
        let Some(history) = device.history() else { return };
        let first = history.unwritten(place, bytes as usize);
        let block = if is_in_heap { history.block_before(address).copied() } else { None };
        if is_in_heap && !block.is_some_and(|block| block.has(address, bytes)) {
            return self.find(1, site, address, || Wrong::Beside(block));
        }
        history.write(place, bytes as usize);
        if let Some(block) = block.filter(|block| block.freed.is_some()) {
            return self.find(2, site, address, || Wrong::Freed(block));
        }
        if let (Some(first), true) = (first, reads(access)) {
            let address = address + first as u64;
            self.find(0, site, address, || match (block, device.byte_of(address)) {
                (Some(block), _) => Wrong::UnwrittenInBlock(block, address - block.address),
                (None, Some((name, byte))) => Wrong::Unwritten(name.to_string(), byte),
                (None, None) => Wrong::Unwritten("global memory".to_string(), address),
            });
        }
    }

    /// `malloc` and `free` of some lanes: each lane's address.
    ///
    /// # Errors
    /// If a lane frees what was never allocated.
    pub(super) fn heap(
        &mut self,
        device: &mut Device,
        site: Site,
        wanted: &Allocation,
    ) -> Result<Lanes<u64>, (usize, Problem)> {
        let mut addresses = [0; 32];
        for lane in lanes_of(wanted.mask) {
            let (site, given) = (Site { lane, ..site }, wanted.given[lane]);
            if wanted.allocates() {
                addresses[lane] = device.allocate_block(given, site);
            } else if given != 0 {
                match device.free_block(given, site) {
                    Ok(()) => {}
                    Err(Some(block)) => self.find(3, site, given, || Wrong::FreedTwice(*block)),
                    Err(None) => return Err((lane, Problem::NotAllocated { address: given })),
                }
            }
        }
        Ok(addresses)
    }

    /// What was found, in the order of the source.
    pub(super) fn warnings(&self, image: &Image, kernel: &Kernel) -> Vec<Warning> {
        let warning = |finding: &Finding| {
            let Finding { site, count, .. } = finding;
            let kernel = &image.program.body(kernel).name;
            let place = format!("kernel {kernel}, {}", place(image, site));
            let what = format!("{}: {}", thread(site), finding.text(image));
            Warning { place, what, count: *count, of_equal_values: false }
        };
        self.found.values().map(warning).collect()
    }
}

impl Finding {
    fn text(&self, image: &Image) -> String {
        let Self { wrong, site, address, .. } = self;
        let name = super::races::name(image, site.pc);
        match wrong {
            Wrong::Unwritten(buffer, byte) => {
                format!(
                    "{name} reads byte {byte} of {buffer}, which neither the launch file nor a kernel has written"
                )
            }
            Wrong::UnwrittenShared(variable, byte) => {
                format!("{name} reads byte {byte} of {variable}, which the CTA has not written")
            }
            Wrong::BesideVariable(variable, byte) => {
                format!(
                    "{name} at {address:#x} is past the end of {variable}: byte {byte} of it is asked for"
                )
            }
            Wrong::UnwrittenInBlock(block, byte) => {
                let block = of_block(image, block);
                format!("{name} reads byte {byte} of {block}, which nobody has written")
            }
            Wrong::Freed(block) => {
                format!("{name} at {address:#x} is in {}", of_block(image, block))
            }
            Wrong::Beside(None) => format!("{name} at {address:#x} is before all blocks of malloc"),
            Wrong::Beside(Some(block)) => {
                let beyond = address.saturating_sub(block.address + block.bytes);
                format!(
                    "{name} at {address:#x} ends beyond {} ({beyond} bytes)",
                    of_block(image, block)
                )
            }
            Wrong::FreedTwice(block) => {
                format!("free at {address:#x} is of {}", of_block(image, block))
            }
        }
    }
}

/// The blocks that nobody has freed after all launches: one warning for each place that allocates.
pub fn leaks(image: &Image, device: &mut Device) -> Vec<Warning> {
    let mut all = BTreeMap::new();
    let live = device.history().into_iter().flat_map(|history| history.live());
    for block in live {
        let first = || (*block, 0, 0);
        let (_, count, bytes) = all.entry(block.allocated.pc).or_insert_with(first);
        *count += 1;
        *bytes += block.bytes;
    }
    let warning = |(block, count, bytes): (Block, u64, u64)| Warning {
        place: place(image, &block.allocated),
        what: format!(
            "{}: malloc of what is never freed, {bytes} bytes in all",
            thread(&block.allocated)
        ),
        count,
        of_equal_values: false,
    };
    all.into_values().map(warning).collect()
}

/// The last variable that begins at an address or before.
fn before(variables: &[ProgramVariable], address: u64) -> Option<&ProgramVariable> {
    let after = variables.partition_point(|variable| variable.offset <= address);
    variables[..after].last()
}

/// Whether some bytes lie in a variable.
fn has(variables: &[ProgramVariable], address: u64, bytes: usize) -> bool {
    let end = |variable: &ProgramVariable| variable.offset + variable.bytes;
    before(variables, address).is_some_and(|it| address + bytes as u64 <= end(it))
}

/// Bytes that are not in a variable.
fn beside(variables: &[ProgramVariable], address: u64) -> Wrong {
    let last = before(variables, address);
    let name = last.map_or_else(|| "no variable".to_string(), |it| it.name.clone());
    Wrong::BesideVariable(name, last.map_or(0, |it| address - it.offset))
}

/// Whether an access takes what memory has.
fn reads(access: &Access) -> bool {
    match access.kind {
        AccessKind::Store | AccessKind::Atomic(AtomicOp::Mbarrier(MbarrierOp::Init)) => false,
        AccessKind::Atomic(AtomicOp::Exchange) => access.has_targets(),
        _ => true,
    }
}

fn of_block(image: &Image, block: &Block) -> String {
    let Block { bytes, allocated, freed, .. } = block;
    let freed = freed.map_or_else(String::new, |site| {
        format!(" and line {} of {} has freed", line(image, &site), thread(&site))
    });
    let by = format!("line {} of {}", line(image, allocated), thread(allocated));
    format!("the block of {bytes} bytes that {by} has allocated{freed}")
}

fn line(image: &Image, site: &Site) -> u32 {
    image.program.lines.get(site.pc as usize).copied().unwrap_or_default()
}

fn place(image: &Image, site: &Site) -> String {
    format!("{}:{}", image.program.file, line(image, site))
}

fn thread(site: &Site) -> Thread {
    Thread::of(&site.identity, Some(site.lane))
}
