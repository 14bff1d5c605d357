//! Relativistic coherence whose messages arrive when a test wants.

#![allow(dead_code, reason = "each test file uses a part")]

use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa::{AccessKind, AtomicOp};
use warpsmith::gpu::memory::{
    Device, Done, Event, Flat, MemorySystem, Operation, RtlSettings, Shared, Unit,
};
use warpsmith::gpu::simt::Access;
use warpsmith::gpu::systems::relativistic::SEQUENTIAL;

/// Initial value of every word.
pub const OLD: u32 = 9;
/// Words, each in a line of its own, and bytes of a line.
const WORDS: usize = 64;
const LINE: usize = 128;
/// The first of the room's events: a message arrives.
const ARRIVES: u8 = 0;
/// Loads and stores until logical time rolls over, at most.
const TURNS: u32 = 1000;

/// A warp of a core.
pub type Warp = [u32; 2];

/// The room, without cores in front of it.
pub struct ByHand {
    shared: Shared,
    system: Box<dyn MemorySystem>,
    held: Vec<Event>,
    over: Vec<u32>,
}

/// The small machine without ticks, with leases of one length in times of 5 bits.
pub fn machine(lease: u32, faithful: bool) -> Config {
    let mut config = Config::preset(SEQUENTIAL.small).expect("a preset");
    let leases = &mut config.leases;
    (leases.lease_min, leases.lease_doublings, leases.tick_clocks) = (lease, 0, 1 << 30);
    (leases.check, leases.faithful) = (true, faithful);
    config
}

impl ByHand {
    pub fn new(config: &Config) -> Self {
        Self::with_rtl(config, &[])
    }

    /// With circuits in all banks, if there are settings for them.
    pub fn with_rtl(config: &Config, rtl: &[RtlSettings]) -> Self {
        let mut device = Device::default();
        let words = device.allocate("words", WORDS * LINE);
        for at in 0..WORDS {
            let word = device.get_mut(words + (at * LINE) as u64, 4).expect("allocated");
            word.copy_from_slice(&OLD.to_le_bytes());
        }
        let (mut shared, mut system) = (Shared::new(config, None), (SEQUENTIAL.make)(config));
        shared.flat = Flat::new(device, &[]);
        for settings in rtl {
            let seats = system.seats().expect("places");
            let chosen = vec![true; config.l2.banks as usize];
            seats.use_rtl(config, settings, &chosen).unwrap_or_else(|error| panic!("{error}"));
        }
        let mut room = Self { shared, system, held: Vec::new(), over: Vec::new() };
        room.system.begin_launch(&mut room.shared);
        room.settle();
        room
    }

    /// Gives the room an access; nothing arrives anywhere yet.
    pub fn send(&mut self, [core, warp]: Warp, kind: AccessKind, word: usize, value: u32) -> u32 {
        assert!(self.takes(core), "core {core} takes no access");
        let at = self.shared.accesses.begin();
        let pending = self.shared.accesses.get(at);
        (pending.core, pending.warp, pending.acknowledged) = (core, warp, true);
        pending.access = Access::default();
        (pending.access.kind, pending.access.mask) = (kind, 1);
        pending.access.addresses[0] = (word * LINE) as u64;
        pending.access.data[0][0] = value.into();
        if self.system.submit(&mut self.shared, core, Operation::Access(at)).is_some() {
            self.over.push(at);
        }
        at
    }

    fn takes(&self, core: u32) -> bool {
        self.system.ready(&self.shared, core).is_some()
    }

    /// All messages arrive, but those that are held.
    pub fn settle(&mut self) {
        self.settle_but(usize::MAX);
    }

    /// All messages arrive, but for one that is held: it comes behind so many others.
    pub fn settle_but(&mut self, mut behind: usize) {
        while let Some(event) = self.shared.events.pop() {
            match event.unit {
                Unit::DRAM => self.shared.handle_dram(event),
                _ if event.kind == ARRIVES && behind == 0 => {
                    behind = usize::MAX;
                    self.held.push(event);
                }
                _ => {
                    behind -= usize::from(event.kind == ARRIVES && behind < usize::MAX);
                    self.system.handle(&mut self.shared, event);
                }
            }
        }
        let over = self.shared.done.drain(..).filter_map(|done| match done {
            Done::Access(at) => Some(at),
            _ => None,
        });
        self.over.extend(over);
        assert_eq!(behind, usize::MAX, "no message is held");
    }

    /// The messages that were held arrive, and all others.
    pub fn let_go(&mut self) {
        for event in std::mem::take(&mut self.held) {
            self.system.handle(&mut self.shared, event);
        }
        self.settle();
    }

    /// Value that a finished access has read.
    pub fn value(&mut self, at: u32) -> u32 {
        assert!(self.over.contains(&at), "access {at} is not over");
        self.shared.accesses.get(at).access.data[0][0] as u32
    }

    pub fn load(&mut self, warp: Warp, word: usize) -> u32 {
        let at = self.send(warp, AccessKind::Load, word, 0);
        self.settle();
        self.value(at)
    }

    /// A store takes effect; the logical time of its core then.
    pub fn store(&mut self, warp: Warp, word: usize, value: u32) -> u64 {
        self.change(warp, AccessKind::Store, word, value)
    }

    /// As a swap does.
    pub fn swap(&mut self, warp: Warp, word: usize, value: u32) -> u64 {
        self.change(warp, AccessKind::Atomic(AtomicOp::Exchange), word, value)
    }

    fn change(&mut self, warp: Warp, kind: AccessKind, word: usize, value: u32) -> u64 {
        let at = self.send(warp, kind, word, value);
        self.settle();
        assert!(self.over.contains(&at), "access {at} is not over");
        self.now(warp[0])
    }

    pub fn now(&self, core: u32) -> u64 {
        self.system.logical_time(core).expect("a logical time")
    }

    /// Roll-overs so far: a launch begins with one.
    pub fn roll_overs(&self) -> u64 {
        let counters = self.system.counters();
        counters.iter().find(|(name, _)| *name == "roll_overs").expect("a counter").1
    }

    /// A core loads and stores a word until time has rolled over, or is about to and waits for what is held.
    pub fn use_up_time(&mut self, core: u32, word: usize) {
        let before = self.roll_overs();
        for turn in 0..TURNS {
            if self.roll_overs() > before || !self.takes(core) {
                return;
            }
            match turn % 2 {
                0 => _ = self.load([core, 0], word),
                _ => _ = self.store([core, 0], word, turn),
            }
        }
        panic!("time does not roll over");
    }

    /// The oracle's verdict on all accesses, if they are not sequentially consistent.
    pub fn judged(mut self) -> Option<String> {
        self.let_go();
        self.system.clean(&mut self.shared);
        let told = self.shared.mismatch.take()?;
        let accused = self.shared.accused.iter().map(|(accused, _)| &accused[..]);
        Some([&[&told[..]], &accused.collect::<Vec<_>>()[..]].concat().join("; "))
    }
}
