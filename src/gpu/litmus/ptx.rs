//! A litmus test as a kernel.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::branch::BranchCondition;
use super::instruction::{Compute, flattened, order_name};
use super::place::scope_name;
use super::{
    Address, Barrier, Check, Instruction, Kind, REGISTERS, Strength, Test, ThreadPlace, Value,
};
use crate::isa::{AtomicOp, Order, Scope};

/// The kernel of a test. Its parameters: the address of each location, that of the results, a mask
/// of the locations that all threads load first, so that there are stale copies, and for each thread
/// its CTA, its warp and the turns that it waits.
pub(super) fn ptx(test: &Test, scope: Scope) -> String {
    let users = users(test);
    let mut kernel = Kernel { text: String::new(), scope, blocks: 0, thread: 0, users };
    let locations = 0..test.locations.len();
    let threads = 0..test.threads.len();
    let all = test.threads.iter().flat_map(|thread| flattened(thread));
    let blocks = all.filter(|it| matches!(it.kind, Kind::Loop(..) | Kind::If(..))).count();
    kernel.say(".version 6.4\n.target sm_70\n.address_size 64");
    let mut parameters: Vec<_> =
        locations.clone().map(|at| format!(".param .u64 at{at}")).collect();
    parameters.push(".param .u64 results".into());
    parameters.push(".param .u32 warm".into());
    for thread in threads.clone() {
        for name in ["cta", "warp", "wait"] {
            parameters.push(format!(".param .u32 {name}{thread}"));
        }
    }
    kernel.say(format!(".visible .entry litmus({})\n{{", parameters.join(", ")));
    kernel.say(format!(
        ".reg .pred %p<4>;\n.reg .b32 %r<8>, %v<{REGISTERS}>, %turn<{}>;",
        blocks + 1
    ));
    kernel.say(format!(".reg .b64 %results, %to, %at<{}>;", test.locations.len().max(1)));
    for at in locations.clone() {
        kernel.say(format!("ld.param.u64 %at{at}, [at{at}];"));
    }
    kernel.say("ld.param.u64 %results, [results];\nld.param.u32 %r4, [warm];");
    kernel.say("mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 31;");
    kernel.say("shr.u32 %r1, %r1, 5;\nsetp.ne.u32 %p0, %r2, 0;\n@%p0 bra END;");
    for thread in threads.clone() {
        kernel.say(format!("ld.param.u32 %r2, [cta{thread}];\nld.param.u32 %r3, [warp{thread}];"));
        kernel.say("setp.eq.u32 %p0, %r0, %r2;\nsetp.eq.and.u32 %p1, %r1, %r3, %p0;");
        kernel.say(format!("@%p1 bra THREAD{thread};"));
    }
    kernel.say("bra END;");
    for thread in threads {
        kernel.thread = thread;
        kernel.say(format!("THREAD{thread}:"));
        // A CPU has no caches in which copies could become stale.
        let is_on_cpu = test.places.get(thread) == Some(&ThreadPlace::Cpu);
        for at in locations.clone().filter(|_| !is_on_cpu) {
            kernel.say(format!("and.b32 %r5, %r4, {};\nsetp.ne.u32 %p0, %r5, 0;", 1 << at));
            kernel.say(format!("@%p0 ld.global.u32 %r6, [%at{at}];"));
        }
        kernel.say(format!("ld.param.u32 %r2, [wait{thread}];\nWAIT{thread}:"));
        kernel.say("add.u32 %r2, %r2, -1;\nsetp.gt.s32 %p0, %r2, 0;");
        kernel.say(format!("@%p0 bra WAIT{thread};"));
        let all = flattened(&test.threads[thread]);
        let mut set: Vec<_> = all.iter().filter_map(|it| it.kind.target()).collect();
        set.sort_unstable();
        set.dedup();
        for register in &set {
            kernel.say(format!("mov.u32 %v{register}, 0;"));
        }
        kernel.instructions(&test.threads[thread]);
        for register in set {
            let offset = (thread * REGISTERS + register) * 4;
            kernel.say(format!("st.global.u32 [%results+{offset}], %v{register};"));
        }
        kernel.say("bra END;");
    }
    kernel.say("END:\nret;\n}");
    kernel.text
}

/// The threads that name each barrier.
fn users(test: &Test) -> BTreeSet<(usize, Value)> {
    let mut users = BTreeSet::new();
    for (thread, instructions) in test.threads.iter().enumerate() {
        for it in flattened(instructions) {
            if let Kind::Barrier(Barrier { id: Some(id), .. }) = it.kind {
                users.insert((thread, id));
            }
        }
    }
    users
}

/// Text of a kernel.
struct Kernel {
    text: String,
    /// What `$` stands for.
    scope: Scope,
    /// Blocks so far: each has labels of its own, and each loop a counter.
    blocks: usize,
    /// The thread.
    thread: usize,
    /// Threads that name a barrier.
    users: BTreeSet<(usize, Value)>,
}

impl Kernel {
    fn say(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.text, "{line}");
    }

    fn instructions(&mut self, all: &[Instruction]) {
        for it in all {
            self.instruction(&it.kind);
        }
    }

    fn instruction(&mut self, kind: &Kind) {
        match kind {
            Kind::Load(strength, register, address) => {
                let (name, at) = (self.named("ld", *strength), self.at(*address));
                self.say(format!("{name}.global.u32 %v{register}, [{at}];"));
            }
            Kind::Store(strength, address, value) => {
                let (name, at) = (self.named("st", *strength), self.at(*address));
                self.say(format!("{name}.global.u32 [{at}], {};", operand(*value)));
            }
            Kind::Atomic(strength, op, register, address, values) => {
                let name = self.named(if register.is_some() { "atom" } else { "red" }, *strength);
                let at = self.at(*address);
                let result = register.map(|register| format!("%v{register}, ")).unwrap_or_default();
                let values: String =
                    values.iter().map(|value| format!(", {}", operand(*value))).collect();
                self.say(format!("{name}.global{} {result}[{at}]{values};", operation(*op)));
            }
            Kind::Fence(strength) => {
                let name = self.named("fence", *strength);
                self.say(format!("{name};"));
            }
            Kind::ProxyFence(_) => {} // Not run: see `Test::line_with_proxy`.
            Kind::Barrier(barrier) => self.barrier(barrier),
            Kind::Label(name) => self.say(format!("{name}_{}:", self.thread)),
            Kind::Branch(BranchCondition { op, operands: [left, right] }, label) => {
                // A comparison has a register on its left.
                self.say(format!("mov.u32 %r5, {};", operand(*left)));
                self.say(format!("setp.{}.u32 %p0, %r5, {};", op.in_ptx(), operand(*right)));
                self.say(format!("@%p0 bra {label}_{};", self.thread));
            }
            Kind::Compute(compute, register, [left, right]) => {
                let (left, right) = (operand(*left), operand(*right));
                let to = format!("%v{register}");
                self.say(match compute {
                    Compute::Move => format!("mov.u32 {to}, {left};"),
                    Compute::Add => format!("add.u32 {to}, {left}, {right};"),
                    Compute::Subtract => format!("sub.u32 {to}, {left}, {right};"),
                    Compute::And => format!("and.b32 {to}, {left}, {right};"),
                    Compute::Or => format!("or.b32 {to}, {left}, {right};"),
                    Compute::Xor => format!("xor.b32 {to}, {left}, {right};"),
                });
            }
            Kind::If(check, body) => {
                let label = self.block();
                self.holds(*check);
                self.say(format!("@!%p0 bra END_{label};"));
                self.instructions(body);
                self.say(format!("END_{label}:"));
            }
            Kind::Loop(turns, until, body) => {
                let label = self.block();
                self.say(format!("mov.u32 %turn{label}, {turns};\nTURN_{label}:"));
                self.instructions(body);
                if let Some(check) = until {
                    self.holds(*check);
                    self.say(format!("@%p0 bra END_{label};"));
                }
                self.say(format!("add.u32 %turn{label}, %turn{label}, -1;"));
                self.say(format!("setp.gt.s32 %p0, %turn{label}, 0;\n@%p0 bra TURN_{label};"));
                self.say(format!("END_{label}:"));
            }
        }
    }

    fn block(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }

    /// An arrival. Each thread of the test is a warp.
    fn barrier(&mut self, barrier: &Barrier) {
        let Some(id) = barrier.id else { return self.say("bar.sync 0;") };
        match barrier.count {
            Some(count) => self.say(format!("mov.u32 %r5, {};", 32 * count)),
            None => {
                self.say("mov.u32 %r5, 0;");
                for other in
                    self.users.iter().filter(|(_, of)| *of == id).map(|it| it.0).collect::<Vec<_>>()
                {
                    self.say(format!(
                        "ld.param.u32 %r6, [cta{other}];\nsetp.eq.u32 %p0, %r0, %r6;"
                    ));
                    self.say("@%p0 add.u32 %r5, %r5, 32;");
                }
            }
        }
        let name = if barrier.waits { "sync" } else { "arrive" };
        self.say(format!("bar.{name} {}, %r5;", operand(id)));
    }

    /// Puts into `%p0` whether the check holds.
    fn holds(&mut self, check: Check) {
        let compare = if check.is_equal { "eq" } else { "ne" };
        self.say(format!("setp.{compare}.u32 %p0, %v{}, {};", check.register, check.value));
    }

    /// The register with the address, after what computes it.
    fn at(&mut self, address: Address) -> String {
        let at = format!("%at{}", address.location);
        let Some(register) = address.from else { return at };
        self.say(format!("and.b32 %r5, %v{register}, 0;\ncvt.u64.u32 %to, %r5;"));
        self.say(format!("add.u64 %to, %to, {at};"));
        "%to".into()
    }

    fn named(&self, name: &str, strength: Strength) -> String {
        let order = order_name(strength.order);
        match strength.order {
            Order::Weak => name.to_string(),
            Order::Volatile => format!("{name}.{order}"),
            _ => format!("{name}.{order}.{}", scope_name(strength.scope.unwrap_or(self.scope))),
        }
    }
}

fn operand(value: Value) -> String {
    match value {
        Value::Number(number) => number.to_string(),
        Value::Register(register) => format!("%v{register}"),
    }
}

/// An operation with its type, as PTX wants it behind the space.
fn operation(op: AtomicOp) -> &'static str {
    match op {
        AtomicOp::Add => ".add.u32",
        AtomicOp::Min => ".min.u32",
        AtomicOp::Max => ".max.u32",
        AtomicOp::And => ".and.b32",
        AtomicOp::Or => ".or.b32",
        AtomicOp::Xor => ".xor.b32",
        AtomicOp::Exchange => ".exch.b32",
        AtomicOp::CompareAndSwap => ".cas.b32",
        AtomicOp::Increment => ".inc.u32",
        AtomicOp::Decrement => ".dec.u32",
        // A litmus test has none.
        AtomicOp::Mbarrier(_) => "",
    }
}
