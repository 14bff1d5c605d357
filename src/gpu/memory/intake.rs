//! The unit of a core that brings its operations to its L1, in order: a line of an access a clock.

use std::collections::VecDeque;

use super::{Done, Operation, Shared, next_line};

/// Operations of a core that its L1 has not performed.
#[derive(Debug, Default)]
pub struct Intake {
    queue: VecDeque<Operation>,
    /// When it takes the next line.
    free: u64,
}

impl Intake {
    /// When it takes the next operation; none while it waits for lines.
    pub fn ready(&self) -> Option<u64> {
        self.queue.is_empty().then_some(self.free)
    }

    /// Whether operations wait.
    pub fn waits(&self) -> bool {
        !self.queue.is_empty()
    }
}

/// What a memory system does with the operations of its cores.
pub trait Takes {
    /// The unit of a core.
    fn intake(&mut self, core: u32) -> &mut Intake;

    /// Performs these lanes of an access, which lie in one line; false if it must wait. Then the system calls
    /// [`go_on`] when it may go on. Lines that are answered later are counted in
    /// [`super::Pending::left`].
    fn line(&mut self, shared: &mut Shared, access: u32, line: u32, lanes: u32) -> bool;

    /// Begins a release, an acquire or a mark of a core.
    fn synchronise(&mut self, shared: &mut Shared, core: u32, operation: Operation);
}

/// Takes an operation of a core. Returns the clock of the result of an access that hit in all its lines, if its
/// warp waits for it.
pub fn take(
    system: &mut impl Takes,
    shared: &mut Shared,
    core: u32,
    operation: Operation,
) -> Option<u64> {
    let mut is_awaited = false;
    if let Operation::Access(access) = operation {
        shared.begin(core, access);
        is_awaited = shared.accesses.get(access).is_awaited();
    }
    system.intake(core).queue.push_back(operation);
    if system.intake(core).queue.len() > 1 {
        return None;
    }
    drain(system, shared, core, Some(operation));
    let Operation::Access(access) = operation else { return None };
    if !is_awaited || !shared.accesses.get(access).is_over() {
        return None;
    }
    Some(system.intake(core).free + u64::from(shared.config.l1.latency))
}

/// A core's operations may go on; its core is told if it may issue again.
pub fn go_on(system: &mut impl Takes, shared: &mut Shared, core: u32) {
    if system.intake(core).waits() {
        drain(system, shared, core, None);
        if !system.intake(core).waits() {
            shared.done.push(Done::Accepts(core));
        }
    }
}

/// Performs a core's operations as far as possible. The end of an access that was `submitted` is returned, the
/// end of others is told by [`Done`].
fn drain(system: &mut impl Takes, shared: &mut Shared, core: u32, submitted: Option<Operation>) {
    let now = shared.events.now();
    while let Some(operation) = system.intake(core).queue.front().copied() {
        match operation {
            Operation::Access(access) => {
                while shared.accesses.get(access).unsent != 0 {
                    let pending = shared.accesses.get(access);
                    let (line, lanes) = next_line(&pending.access, pending.unsent);
                    if !system.line(shared, access, line, lanes) {
                        return;
                    }
                    shared.accesses.get(access).unsent &= !lanes;
                    let intake = system.intake(core);
                    intake.free = intake.free.max(now) + 1;
                }
                let pending = shared.accesses.get(access);
                match (pending.left, pending.is_awaited()) {
                    (0, true) if submitted != Some(operation) => {
                        shared.done.push(Done::Access(access));
                    }
                    (0, false) => shared.accesses.end(access),
                    _ => {}
                }
            }
            _ => system.synchronise(shared, core, operation),
        }
        system.intake(core).queue.pop_front();
    }
}
