//! No caches: what a core asks for takes effect at the home of the line, in the order of arrival.

use warpsmith::gpu::isa::AccessKind;
use warpsmith::gpu::memory::*;
use warpsmith::gpu::systems::System;

pub const UNCACHED: System =
    System::new("uncached", "every access is done at its home", |config| {
        Box::new(Uncached { fabric: Fabric::new(config) })
    });

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
    bytes: Bytes,
    data: Data,
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
    /// The next line of an access goes to the L2 of its GPM.
    fn send_line(&mut self, shared: &mut Shared, access: u32) {
        let pending = shared.accesses.get(access);
        let (kind, core) = (pending.access.kind, pending.core);
        let (line, lanes) = next_line(&pending.access, pending.unsent);
        let (mut bytes, mut data) = (0, [0; 128]);
        pending.unsent &= !lanes;
        pending.left += 1;
        if kind == AccessKind::Store {
            bytes = gather(&pending.access, lanes, &mut data);
        }
        let ends = [Port::Core(core), Port::Gpm(shared.homes.topology.gpm_of_core(core))];
        let is_request = true;
        let message = Message { kind, is_request, ends, core, access, lanes, line, bytes, data };
        self.fabric.send_new(shared, message);
    }

    /// A request has come to the home of its line. A load gets the value of now, but its answer
    /// leaves when DRAM has given the line.
    fn perform(&mut self, shared: &mut Shared, gpm: u32, number: u32) {
        let message = self.fabric.get(number);
        let line = message.line;
        let is_load = message.kind == AccessKind::Load;
        match message.kind {
            AccessKind::Load => message.data = shared.line(line),
            AccessKind::Store => shared.write_line(line, &message.data, message.bytes),
            AccessKind::Atomic(_) => {
                let mut data = shared.line(line);
                let access = &mut shared.accesses.get(message.access).access;
                let [_, stored] = perform(access, message.lanes, &mut data);
                shared.write_line(line, &data, stored);
            }
        }
        shared.transfer(gpm, Transfer { line, miss: is_load.then_some(number) });
        if !is_load {
            self.answer(shared, gpm, number);
        }
    }

    /// An answer goes on to its core, by the GPM of that.
    fn answer(&mut self, shared: &mut Shared, gpm: u32, number: u32) {
        let message = self.fabric.get(number);
        let nearest = shared.homes.topology.gpm_of_core(message.core);
        let to = if gpm == nearest { Port::Core(message.core) } else { Port::Gpm(nearest) };
        (message.is_request, message.ends) = (false, [Port::Gpm(gpm), to]);
        self.fabric.send(shared, number);
    }

    /// An answer has come to its core.
    fn answered(&mut self, shared: &mut Shared, number: u32) {
        let Message { kind, access, lanes, data, .. } = *self.fabric.get(number);
        self.fabric.end(number);
        if kind == AccessKind::Load {
            extract(&mut shared.accesses.get(access).access, lanes, &data);
        }
        shared.answered(access);
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
                while shared.accesses.get(access).unsent != 0 {
                    self.send_line(shared, access);
                }
            }
            Operation::Release { warp, .. }
            | Operation::Acquire { warp, .. }
            | Operation::Mark { warp, .. } => shared.done.push(Done::Synchronised { core, warp }),
        }
        None
    }

    fn acknowledges_stores(&self) -> bool {
        true
    }

    fn handle(&mut self, shared: &mut Shared, event: Event) {
        match event {
            Event::Filled(gpm, number) => self.answer(shared, gpm, number),
            Event::Arrive(number) => {
                let message = self.fabric.get(number);
                let home = shared.homes.home(message.line);
                match (message.ends[1], message.is_request) {
                    (Port::Core(_), _) => self.answered(shared, number),
                    (Port::Gpm(gpm), false) => self.answer(shared, gpm, number),
                    (Port::Gpm(gpm), true) if gpm == home => self.perform(shared, gpm, number),
                    (Port::Gpm(gpm), true) => {
                        message.ends = [Port::Gpm(gpm), Port::Gpm(home)];
                        self.fabric.send(shared, number);
                    }
                }
            }
            _ => {}
        }
    }

    fn traffic(&self, shared: &Shared) -> Traffic {
        self.fabric.traffic(shared)
    }
}
