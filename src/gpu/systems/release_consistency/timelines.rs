//! The timelines of the Primer (tables 10.14, 10.17 and 10.18, of the threads of table 10.10), step by step: what
//! the L1s and the L2 do, in their order.

use super::message::Kind;
use super::protocol::{BASE, LAZY, Protocol};
use super::{MemorySystem, ReleaseConsistency};
use crate::config::Config;
use crate::isa::{AccessKind, Order, Scope};
use crate::memory::{Device, Done, Flat, Operation, Shared, Unit};
use crate::simt::Access;
use crate::systems::release_consistency::SystemEvent;

/// Where data1 and flag are: each in a line of its own.
const DATA1: u64 = 0;
const FLAG: u64 = 128;

/// Two threads on a machine, and what was seen of its messages.
struct Timeline {
    shared: Shared,
    system: ReleaseConsistency,
    steps: Vec<String>,
}

impl Timeline {
    /// Both lines are in the L1s of SM1 and SM2, and hold 0.
    fn new(protocol: Protocol) -> Self {
        let config = Config::preset("small_apu").expect("a preset");
        let mut shared = Shared::new(&config, None);
        let mut device = Device::default();
        device.allocate("data1 and flag", 256);
        shared.flat = Flat::new(device, &[]);
        let system = ReleaseConsistency::new(&config, protocol, true);
        let mut timeline = Self { shared, system, steps: Vec::new() };
        for core in [0, 1] {
            timeline.load(core, DATA1, Order::Weak);
            timeline.load(core, FLAG, Order::Weak);
        }
        timeline.steps.clear();
        timeline
    }

    /// Lets everything come to its end, and notes each message as it arrives.
    fn run(&mut self) {
        while let Some(event) = self.shared.events.pop() {
            if event.unit == Unit::SYSTEM
                && let SystemEvent::Arrive(number) = event.into()
            {
                let message = self.system.fabric.get(number).clone();
                let line = ["data1", "flag"][message.line as usize];
                let core = message.core() + 1;
                let what = match message.kind {
                    Kind::GetV => format!("L2 is asked for {line} by SM{core}"),
                    Kind::GetO => format!("L2 is asked by SM{core} to own {line}"),
                    Kind::WriteBack { .. } => format!("SM{core} writes {line} back"),
                    Kind::Mark => format!("SM{core} has written back"),
                    Kind::Data { is_owned: true } => format!("SM{core} owns {line}"),
                    Kind::Data { .. } => format!("SM{core} gets {line}"),
                    Kind::Ack => format!("SM{core} gets the Ack"),
                    Kind::RequestWriteBack => format!("SM{core} is asked for {line}"),
                    Kind::WrittenBack { .. } => format!("SM{core} sends {line}"),
                    Kind::Atomic | Kind::AtomicDone | Kind::OfCpu | Kind::OfCpuDone => {
                        unreachable!("there is none")
                    }
                };
                self.steps.push(what);
            }
            match event.unit {
                Unit::DRAM => self.shared.handle_dram(event),
                _ => self.system.handle(&mut self.shared, event),
            }
        }
    }

    fn access(
        &mut self,
        core: u32,
        kind: AccessKind,
        address: u64,
        order: Order,
        value: u64,
    ) -> u64 {
        let number = self.shared.accesses.begin();
        let pending = self.shared.accesses.get(number);
        let mut access = Access::default().awaited();
        (access.kind, access.order) = (kind, order);
        (access.scope, access.mask) = (Scope::Gpu, 1);
        pending.access = access;
        pending.access.addresses[0] = address;
        pending.access.data[0][0] = value;
        (pending.core, pending.acknowledged) = (core, true);
        if order == Order::Release {
            let of = Some(number);
            let release = Operation::Release { warp: 0, scope: Scope::Gpu, of };
            self.system.submit(&mut self.shared, core, release);
            self.run();
            assert!(self.shared.done.pop().is_some(), "the release ends");
        }
        let is_over =
            self.system.submit(&mut self.shared, core, Operation::Access(number)).is_some();
        self.run();
        assert!(is_over || self.shared.done.pop() == Some(Done::Access(number)), "it ends");
        let found = self.shared.accesses.get(number).access.data[0][0];
        self.shared.accesses.end(number);
        if order == Order::Acquire {
            self.system.submit(
                &mut self.shared,
                core,
                Operation::Acquire { warp: 0, scope: Scope::Gpu },
            );
            self.run();
            assert!(self.shared.done.pop().is_some(), "the acquire ends");
        }
        found
    }

    fn load(&mut self, core: u32, address: u64, order: Order) -> u64 {
        self.access(core, AccessKind::Load, address, order, 0)
    }

    /// A statement of table 10.10 begins.
    fn step(&mut self, what: &str) {
        self.steps.push(what.to_string());
    }

    /// St1 and St2 on SM1, Ld1 and Ld2 on another SM or the same.
    fn message_passing(&mut self, reader: u32) -> [u64; 2] {
        self.step("St1");
        self.access(0, AccessKind::Store, DATA1, Order::Weak, 1);
        self.step("Rel St2");
        self.access(0, AccessKind::Store, FLAG, Order::Release, 1);
        self.step("Acq Ld1");
        let flag = self.load(reader, FLAG, Order::Acquire);
        self.step("Ld2");
        [flag, self.load(reader, DATA1, Order::Weak)]
    }
}

#[test]
fn a_release_writes_back_and_an_acquire_pulls_as_in_table_10_14() {
    let mut timeline = Timeline::new(BASE);
    assert_eq!(timeline.message_passing(1), [1, 1]);
    let expected = [
        "St1",
        "Rel St2",
        "SM1 writes data1 back",
        "SM1 has written back",
        "SM1 gets the Ack",
        "SM1 writes flag back",
        "Acq Ld1",
        "L2 is asked for flag by SM2",
        "SM2 gets flag",
        "Ld2",
        "L2 is asked for data1 by SM2",
        "SM2 gets data1",
    ];
    assert_eq!(timeline.steps, expected);
}

#[test]
fn a_lazy_release_is_written_back_when_another_core_acquires_as_in_table_10_17() {
    let mut timeline = Timeline::new(LAZY);
    assert_eq!(timeline.message_passing(1), [1, 1]);
    let expected = [
        "St1",
        "Rel St2",
        "L2 is asked by SM1 to own flag",
        "SM1 owns flag",
        "Acq Ld1",
        "L2 is asked for flag by SM2",
        "SM1 is asked for flag",
        "SM1 writes data1 back",
        "SM1 sends flag",
        "SM2 gets flag",
        "Ld2",
        "L2 is asked for data1 by SM2",
        "SM2 gets data1",
    ];
    assert_eq!(timeline.steps, expected);
}

#[test]
fn a_lazy_release_within_a_core_sends_one_request_as_in_table_10_18() {
    let mut timeline = Timeline::new(LAZY);
    assert_eq!(timeline.message_passing(0), [1, 1]);
    let expected =
        ["St1", "Rel St2", "L2 is asked by SM1 to own flag", "SM1 owns flag", "Acq Ld1", "Ld2"];
    assert_eq!(timeline.steps, expected);
}

/// What the Primer's rule alone would miss: the line comes with a release of another core in another word.
#[test]
fn an_acquire_of_an_owned_line_with_a_release_of_another_core_empties_the_l1() {
    let mut timeline = Timeline::new(LAZY);
    timeline.access(0, AccessKind::Store, DATA1, Order::Weak, 1);
    timeline.access(0, AccessKind::Store, FLAG, Order::Release, 1);
    // SM2 owns the line of the flag, by a release in its next word.
    timeline.access(1, AccessKind::Store, FLAG + 4, Order::Release, 1);
    assert_eq!(timeline.load(1, FLAG, Order::Acquire), 1);
    assert_eq!(timeline.load(1, DATA1, Order::Weak), 1);
}
