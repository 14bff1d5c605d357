//! No caches: what a core asks for takes effect at the home of the line, in the order of arrival.

use warpsmith::gpu::events;
use warpsmith::gpu::isa::AccessKind;
use warpsmith::gpu::memory::*;

pub const UNCACHED: System =
    System::new("uncached", "every access is done at its home", |config| {
        Box::new(Uncached {
            fabric: Fabric::new(config, |number| SystemEvent::Arrive(number).into()),
        })
    });

events! {
    /// Events of the system.
    enum SystemEvent of Unit::SYSTEM;
    /// A message arrives.
    Arrive(message),
    /// A line has come from the DRAM of a GPM for a message.
    Filled(gpm, message),
}

/// Lanes of an access in a line, on the way to the home or back.
#[derive(Debug)]
struct Message {
    kind: AccessKind,
    is_request: bool,
    ends: [Port; 2],
    core: u32,
    access: u32,
    lanes: u32,
    line: u32,
}

impl Packet for Message {
    fn ends(&self) -> [Port; 2] {
        self.ends
    }

    fn bytes(&self) -> u32 {
        let carries_data = (self.kind == AccessKind::Load) != self.is_request;
        HEADER + if carries_data { 8 * self.lanes.count_ones() } else { 0 }
    }

    fn is_request(&self) -> bool {
        self.is_request
    }
}

#[derive(Debug)]
struct Uncached {
    fabric: Fabric<Message>,
}

impl Uncached {
    /// A request has come to the home of its line, and takes effect; as the answer it waits for DRAM.
    fn perform(&mut self, shared: &mut Shared, gpm: u32, number: u32) {
        let message = self.fabric.get(number);
        let Message { access, lanes, line, .. } = *message;
        message.is_request = false;
        let mut data = shared.line(line);
        let access = &mut shared.accesses.get(access).access;
        let stored = match access.kind {
            AccessKind::Load => {
                extract(access, lanes, &data);
                0
            }
            AccessKind::Store => gather(access, lanes, &mut data),
            AccessKind::Atomic(_) => perform(access, lanes, &mut data)[1],
        };
        shared.write_line(line, &data, stored);
        shared.transfer(gpm, Transfer::read(line, SystemEvent::Filled(gpm, number)));
    }

    /// An answer has come to its core.
    fn answered(&mut self, shared: &mut Shared, number: u32) {
        shared.answered(self.fabric.get(number).access);
        self.fabric.end(number);
    }
}

impl MemorySystem for Uncached {
    fn ready(&self, _: &Shared, core: u32) -> Option<u64> {
        Some(self.fabric.core_ready(core))
    }

    fn submit(&mut self, shared: &mut Shared, core: u32, operation: Operation) -> Option<u64> {
        match operation {
            Operation::Access(access) => {
                shared.begin(core, access);
                let ends = [Port::Core(core), Port::Gpm(shared.homes.topology.gpm_of_core(core))];
                while shared.accesses.get(access).unsent != 0 {
                    let pending = shared.accesses.get(access);
                    let (line, lanes) = next_line(&pending.access, pending.unsent);
                    (pending.unsent, pending.left) = (pending.unsent & !lanes, pending.left + 1);
                    let (kind, is_request) = (pending.access.kind, true);
                    let message = Message { kind, is_request, ends, core, access, lanes, line };
                    self.fabric.send_new(shared, message);
                }
            }
            Operation::Release { warp, .. } | Operation::Acquire { warp, .. } => {
                shared.done.push(Done::Synchronised { core, warp })
            }
        }
        None
    }

    fn acknowledges_stores(&self) -> bool {
        true
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        let (at, number) = match event.into() {
            SystemEvent::Arrive(number) => (self.fabric.get(number).ends[1], number),
            SystemEvent::Filled(gpm, number) => (Port::Gpm(gpm), number),
        };
        let message = self.fabric.get(number);
        let home = shared.homes.home(message.line);
        let nearest = shared.homes.topology.gpm_of_core(message.core);
        let to = match (at, message.is_request) {
            (Port::Core(_), _) => return self.answered(shared, number),
            (Port::Gpm(gpm), true) if gpm == home => return self.perform(shared, gpm, number),
            (Port::Gpm(_), true) => Port::Gpm(home),
            (Port::Gpm(gpm), false) if gpm == nearest => Port::Core(message.core),
            (Port::Gpm(_), false) => Port::Gpm(nearest),
            (Port::Unit(_), _) => unreachable!("it has no units of its own"),
        };
        message.ends = [at, to];
        self.fabric.send(shared, number);
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.fabric.traffic(shared)
    }
}
