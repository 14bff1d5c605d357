//! Data races within a launch: two accesses to a byte, one of them a write, that nothing orders and that are not
//! both strong at scopes that include each other (PTX ISA 8.0, 8.7.1 and 8.9.5).
//!
//! As in FastTrack (Flanagan and Freund, PLDI 2009) each thread has a vector clock, and memory remembers the last
//! write and the reads since. Lanes of a warp that know the same share a clock.

mod clock;
mod cluster;
mod shadow;
mod warp;

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

pub(super) use cluster::Agent;

use super::cta::Cta;
use super::fault::Thread;
use super::launch::place_of_cta;
use super::report::Warning;
use crate::isa::{AccessKind, AtomicOp, Kernel, MbarrierOp, Operation, Order, Scope, Space};
use crate::simt::{Access, Arrival, BARRIERS, Identity, Image, LANES, lanes_of};
use clock::Clock;
use cluster::Met;
use shadow::{Epoch, Shadow, Strength};
use warp::{Known, Warp};

/// Most words of memory, and most places that order threads, that are kept.
const MOST_KEPT: usize = 1 << 22;

/// What a write to a place has released.
#[derive(Debug, Clone, Default)]
struct Released {
    /// To all.
    wide: Clock,
    /// To a CTA.
    narrow: (u32, Clock),
}

/// A memory: who has accessed it, and what its places have released.
#[derive(Debug, Default)]
struct Memory {
    shadow: Shadow,
    released: HashMap<u64, Released>,
}

/// Warps at a barrier that has not opened.
#[derive(Debug, Clone, Default)]
struct Gathered {
    known: Known,
    /// Warps and their lanes that wait.
    waiting: Vec<(u32, u32)>,
    came: bool,
}

/// A CTA that runs.
#[derive(Debug)]
struct CtaState {
    warps: Vec<Warp>,
    barriers: Vec<Gathered>,
}

/// Two instructions that race, as they were first met.
#[derive(Debug)]
struct Race {
    earlier: Epoch,
    later: Epoch,
    space: Space,
    address: u64,
    count: u64,
    /// Each time both stored the same value.
    of_equal_values: bool,
}

/// Looks for races in a launch.
#[derive(Debug, Default)]
pub(super) struct Races {
    ctas: HashMap<u32, CtaState>,
    global: Memory,
    /// Shared memory, by CTA.
    shared: HashMap<u32, Memory>,
    /// Barriers of clusters, by the number of the cluster.
    clusters: HashMap<u32, Met>,
    /// Agents so far.
    agents: u32,
    found: BTreeMap<[u32; 2], Race>,
    is_full: bool,
}

/// The number of a CTA in its grid.
fn number(identity: &Identity) -> u32 {
    numbered(identity.cta, identity.grid)
}

fn numbered([x, y, z]: [u32; 3], of: [u32; 3]) -> u32 {
    x + of[0] * (y + of[1] * z)
}

impl Races {
    /// A CTA begins.
    pub(super) fn begin(&mut self, identity: &Identity) {
        let cta = number(identity);
        let warps = (0..identity.warps()).map(|warp| Warp::new(cta, warp)).collect();
        let barriers = vec![Gathered::default(); BARRIERS as usize];
        self.ctas.insert(cta, CtaState { warps, barriers });
        self.shared.insert(cta, Memory::default());
    }

    /// A CTA has ended.
    pub(super) fn end(&mut self, identity: &Identity) {
        self.ctas.remove(&number(identity));
        self.shared.remove(&number(identity));
    }

    /// The warp of an identity, if its CTA runs.
    fn warp(&mut self, identity: &Identity) -> Option<&mut Warp> {
        Some(&mut self.ctas.get_mut(&number(identity))?.warps[identity.warp as usize])
    }

    /// Lanes of a warp meet at `bar.warp.sync`.
    pub(super) fn warp_sync(&mut self, identity: &Identity, lanes: u32) {
        let Some(warp) = self.warp(identity) else { return };
        let known = warp.gather(lanes);
        warp.learn(lanes, &known);
        warp.advance(lanes);
    }

    /// Lanes of a warp execute a fence.
    pub(super) fn fence(&mut self, identity: &Identity, lanes: u32, scope: Scope) {
        let reach = if scope > Scope::Cta { 2 } else { 1 };
        if let Some(warp) = self.warp(identity) {
            warp.fence(lanes, reach);
        }
    }

    /// A warp has come to a barrier.
    pub(super) fn arrive(&mut self, identity: &Identity, arrival: &Arrival) {
        let state = self.ctas.get_mut(&number(identity));
        let Some(CtaState { warps, barriers }) = state else { return };
        let barrier = &mut barriers[arrival.id as usize];
        let warp = &mut warps[identity.warp as usize];
        // A fence is cumulative: who meets the warp here may release for it.
        barrier.known.join(&warp.gather(arrival.lanes));
        barrier.came = true;
        if arrival.waits {
            barrier.waiting.push((identity.warp, arrival.lanes));
        }
        warp.advance(arrival.lanes);
    }

    /// Barriers may have opened: those who waited know what all knew who came.
    pub(super) fn look_at(&mut self, identity: &Identity, cta: &Cta) {
        let state = self.ctas.get_mut(&number(identity));
        let Some(CtaState { warps, barriers }) = state else { return };
        for (id, barrier) in barriers.iter_mut().enumerate() {
            if barrier.came && cta.is_empty(id) {
                let Gathered { known, waiting, .. } = std::mem::take(barrier);
                let waiting = waiting.into_iter();
                waiting.for_each(|(warp, lanes)| warps[warp as usize].learn(lanes, &known));
            }
        }
    }

    /// A warp's access has been made.
    pub(super) fn access(&mut self, identity: &Identity, access: &Access) {
        let cta = number(identity);
        let Some(mut state) = self.ctas.remove(&cta) else { return };
        self.look_at_access(&mut state.warps[identity.warp as usize], false, identity, access);
        self.ctas.insert(cta, state);
    }

    /// The same of a warp, or of an agent, which is one thread in all lanes.
    fn look_at_access(
        &mut self,
        warp: &mut Warp,
        is_agent: bool,
        identity: &Identity,
        access: &Access,
    ) {
        let cta = number(identity);
        let owner = access.rank.map_or(cta, |rank| number(&identity.peer(rank)));
        let memory = match access.space {
            Space::Shared => self.shared.entry(owner).or_default(),
            Space::Global => &mut self.global,
            _ => return,
        };
        self.is_full |= memory.shadow.words().max(memory.released.len()) > MOST_KEPT;
        if self.is_full {
            return;
        }
        let [reads, writes] = effect(access);
        if access.order != Order::Weak && reads {
            acquire(warp, memory, cta, access);
        }
        let strength = match (access.order, scope_of(access)) {
            (Order::Weak, _) => Strength::Weak,
            (_, Scope::Cta) => Strength::Cta,
            (_, Scope::Cluster) => Strength::Cluster,
            _ => Strength::Wide,
        };
        let cluster = cluster::number(identity);
        for lane in access.lanes() {
            let (address, space) = (access.addresses[lane], access.space);
            let (pc, stored) = (access.pc, stored(access, lane));
            let lane = if is_agent { 0 } else { lane };
            let (cta, thread, time) = (warp.cta(), warp.thread(lane), warp.time(lane));
            let now = Epoch { cta, cluster, thread, strength, time, pc, stored };
            let shadow = &mut memory.shadow;
            let found = shadow.access(address, access.bytes(), now, writes, warp.clock(lane));
            if let Some(earlier) = found {
                let of_equal_values = true;
                let race = Race { earlier, later: now, space, address, count: 0, of_equal_values };
                let race = self.found.entry([earlier.pc, pc]).or_insert(race);
                race.count += 1;
                race.of_equal_values &= now.stores_as(&earlier);
            }
        }
        if access.order != Order::Weak && writes {
            release(warp, memory, cta, access);
            warp.advance(access.mask);
        }
    }

    /// The races that were found, in the order of the source.
    pub(super) fn warnings(
        &self,
        image: &Image,
        kernel: &Kernel,
        identity: Identity,
    ) -> Vec<Warning> {
        let thread = |epoch: &Epoch| {
            let [cta, thread] = cluster::asker(epoch);
            let cta = place_of_cta(cta.into(), identity.grid);
            let (warp, lane) = (thread / LANES as u32, thread as usize % LANES);
            Thread::of(&Identity { cta, warp, ..identity }, Some(lane))
        };
        let place = |pc: u32| {
            let line = image.program.lines.get(pc as usize).copied().unwrap_or_default();
            format!("kernel {}, {}:{line}", image.program.body(kernel).name, image.program.file)
        };
        let warning = |race: &Race| {
            let Race { earlier, later, space, address, count, of_equal_values } = race;
            let line = image.program.lines.get(earlier.pc as usize).copied().unwrap_or_default();
            let what = format!(
                "{}: {} at {address:#x} of {} memory races with {} at line {line} of {}",
                thread(later),
                name(image, later.pc),
                space.name(),
                name(image, earlier.pc),
                thread(earlier)
            );
            Warning {
                place: place(later.pc),
                what,
                count: *count,
                of_equal_values: *of_equal_values,
            }
        };
        let mut all: Vec<_> = self.found.values().map(warning).collect();
        if self.is_full {
            let what = format!("more than {MOST_KEPT} words: later races are not found");
            all.push(Warning { place: place(u32::MAX), what, count: 1, of_equal_values: false });
        }
        all
    }
}

/// What an instruction does to memory, in words.
pub(super) fn name(image: &Image, pc: u32) -> &'static str {
    match image.program.code.get(pc as usize).map(|instruction| &instruction.operation) {
        Some(Operation::Access(form)) => match form.kind {
            AccessKind::Load => "a load",
            AccessKind::Store => "a store",
            AccessKind::Atomic(_) => "an atomic",
        },
        _ => "an asynchronous copy",
    }
}

/// A hash of where and what a lane stores.
fn stored(access: &Access, lane: usize) -> Option<u64> {
    let elements = &access.data[..usize::from(access.elements)];
    (access.kind == AccessKind::Store).then(|| {
        let mut hash = DefaultHasher::new();
        (access.addresses[lane], access.bytes()).hash(&mut hash);
        elements.iter().for_each(|element| element[lane].hash(&mut hash));
        hash.finish()
    })
}

/// Whether an access reads, and whether it writes.
fn effect(access: &Access) -> [bool; 2] {
    match access.kind {
        AccessKind::Load => [true, false],
        AccessKind::Store => [false, true],
        AccessKind::Atomic(AtomicOp::Mbarrier(MbarrierOp::Test { .. })) => [true, false],
        AccessKind::Atomic(_) => [true, true],
    }
}

/// Threads among which an access is ordered. Who can reach an `mbarrier` at all is in its cluster, so its scopes say
/// nothing more.
fn scope_of(access: &Access) -> Scope {
    match access.kind {
        AccessKind::Atomic(AtomicOp::Mbarrier(_)) => Scope::Gpu,
        _ => access.scope,
    }
}

/// Strong reads acquire what was released: at once, or at the next fence.
fn acquire(warp: &mut Warp, memory: &Memory, cta: u32, access: &Access) {
    let at_once = matches!(access.order, Order::Acquire | Order::AcquireRelease);
    let is_test =
        matches!(access.kind, AccessKind::Atomic(AtomicOp::Mbarrier(MbarrierOp::Test { .. })));
    let mut left = access.mask;
    while left != 0 {
        let address = access.addresses[left.trailing_zeros() as usize];
        let same = lanes_of(left).filter(|lane| access.addresses[*lane] == address);
        let same = same.fold(0, |same, lane| same | 1 << lane);
        left &= !same;
        let Some(released) = memory.released.get(&address) else { continue };
        // A phase that is not over orders nothing.
        let finds = |lane: &usize| !is_test || access.data[0][*lane] != 0;
        let lanes = lanes_of(same).filter(finds).fold(0, |lanes, lane| lanes | 1 << lane);
        let (narrow_to, narrow) = &released.narrow;
        if *narrow_to == cta {
            warp.acquire(lanes, 0, narrow, at_once);
        }
        if scope_of(access) > Scope::Cta {
            warp.acquire(lanes, 1, &released.wide, at_once);
        }
    }
}

/// Strong writes release their lanes' clocks, or those of their last fences. A read-modify-write goes on with what
/// was released before.
fn release(warp: &Warp, memory: &mut Memory, cta: u32, access: &Access) {
    let at_once = matches!(access.order, Order::Release | Order::AcquireRelease);
    let mut last = None;
    for lane in access.lanes() {
        let address = access.addresses[lane];
        let released = memory.released.entry(address).or_default();
        let is_joined = access.kind != AccessKind::Store
            && last.replace((address, warp.group(lane))) == Some((address, warp.group(lane)));
        if access.kind == AccessKind::Store {
            *released = Released::default();
        }
        if released.narrow.0 != cta {
            released.narrow = (cta, Clock::default());
        }
        warp.release(lane, (0, at_once), is_joined, &mut released.narrow.1);
        if scope_of(access) > Scope::Cta {
            warp.release(lane, (1, at_once), is_joined, &mut released.wide);
        }
    }
}
