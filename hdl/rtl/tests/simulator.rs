//! What each part of a module does in simulation.

use warpsmith_rtl::ir::CheckKind;
use warpsmith_rtl::netlist::Keep;
use warpsmith_rtl::simulator::GatingMode;
use warpsmith_rtl::{Bits, Collision, Module, ModuleBuilder, Netlist, NetlistError, Simulator};

fn simulate(module: &Module) -> Simulator {
    Simulator::new(module).expect("no combinational loop")
}

/// One clock with these inputs.
fn clock(simulator: &mut Simulator, inputs: &[(&str, u64)]) {
    for (port, value) in inputs {
        let width = match simulator.layout().input(port) {
            Some(slot) => slot.width,
            None => panic!("no input {port}"),
        };
        simulator.set(port, Bits::new(width, *value));
    }
    simulator.clock();
}

fn output(simulator: &Simulator, port: &str) -> u64 {
    simulator.get(port).to_u64().expect("a narrow output")
}

fn value(simulator: &Simulator, name: &str) -> Bits {
    simulator.value(simulator.find(name).unwrap_or_else(|| panic!("no signal {name}")))
}

#[test]
fn a_register_takes_its_value_at_the_edge_and_holds_it_otherwise() {
    let m = ModuleBuilder::new("counter");
    let enable = m.input("enable", 1);
    let count = m.reg("count", 8, 5);
    m.when(enable, || count.set(*count + 1));
    m.output("now", *count);
    let mut s = simulate(&m.finish());
    clock(&mut s, &[("rst", 1), ("enable", 1)]);
    let mut seen = Vec::new();
    for enable in [1, 1, 0, 0, 1, 0] {
        clock(&mut s, &[("rst", 0), ("enable", enable)]);
        seen.push(output(&s, "now"));
    }
    assert_eq!(seen, [5, 6, 7, 7, 7, 8]);
    clock(&mut s, &[("rst", 1), ("enable", 1)]);
    assert_eq!(output(&s, "now"), 8, "reset is synchronous: the old value is seen before its edge");
    s.evaluate();
    assert_eq!(output(&s, "now"), 5);
    assert_eq!(s.clocks(), 8);
}

#[test]
fn reset_touches_only_registers_that_have_one() {
    let m = ModuleBuilder::new("pipeline");
    let d = m.input("d", 70);
    let (first, second) = (m.reg_without_reset("first", 70), m.reg("second", 70, 3));
    first.set(d);
    second.set(*first);
    m.output("q", *second);
    let module = m.finish();
    let mut s = simulate(&module);
    let noise = value(&s, "first");
    assert!(!noise.is_zero() && noise == value(&simulate(&module), "first"));
    let data = Bits::from_words(70, &[u64::MAX, 0x2a]);
    s.set("d", data.clone());
    clock(&mut s, &[("rst", 1)]);
    assert_eq!(value(&s, "first"), data);
    assert_eq!(value(&s, "second"), Bits::new(70, 3));
    clock(&mut s, &[("rst", 0)]);
    clock(&mut s, &[]);
    assert_eq!(s.get("q"), data);
}

/// A memory of five rows of twelve bits with one read port and two write ports, the first by lanes.
fn memory(collision: Collision) -> Module {
    let m = ModuleBuilder::new("memory");
    let (read, row) = (m.input("read", 1), m.input("row", 3));
    let ram = m.memory("ram", 5, 12, 3, collision);
    let data = ram.read("data", read, row);
    ram.write_lanes(
        m.input("we_a", 1),
        m.input("row_a", 3),
        m.input("data_a", 12),
        m.input("lanes", 3),
    );
    ram.write(m.input("we_b", 1), m.input("row_b", 3), m.input("data_b", 12));
    m.output("q", data);
    m.finish()
}

#[test]
fn memories_write_lanes_and_the_later_port_wins() {
    let mut s = simulate(&memory(Collision::ReadFirst));
    let row = |s: &Simulator, row| s.memory_row("ram", row).to_u64().unwrap();
    clock(&mut s, &[("we_b", 1), ("row_b", 4), ("data_b", 0xabc)]);
    assert_eq!(row(&s, 4), 0xabc);
    let lanes = [("we_b", 0), ("we_a", 1), ("row_a", 4), ("data_a", 0x123), ("lanes", 0b101)];
    clock(&mut s, &lanes);
    assert_eq!(row(&s, 4), 0x1b3);
    clock(&mut s, &[("lanes", 7), ("we_b", 1), ("data_b", 0x456)]);
    assert_eq!(row(&s, 4), 0x456, "both ports write row 4");
    let before: Vec<_> = (0..5).map(|i| row(&s, i)).collect();
    clock(&mut s, &[("row_a", 5), ("row_b", 7)]);
    assert_eq!((0..5).map(|i| row(&s, i)).collect::<Vec<_>>(), before, "no such rows");
}

#[test]
fn lanes_may_lie_across_words() {
    let m = ModuleBuilder::new("wide_lanes");
    let ram = m.memory("ram", 2, 180, 9, Collision::ReadFirst);
    let (row, data) = (m.lit(1, 1), m.input("data", 180));
    ram.write_lanes(m.lit(1, 1), row, data, m.input("lanes", 9));
    let mut s = simulate(&m.finish());
    s.set("data", Bits::ones(180));
    clock(&mut s, &[("lanes", 0x1ff)]);
    s.set("data", Bits::zeros(180));
    clock(&mut s, &[("lanes", 0b010111001)]);
    let expected = Bits::from_fn(180, |bit| 0b010111001 >> (bit / 20) & 1 == 0);
    assert_eq!(s.memory_row("ram", 1), expected);
}

/// What a read of row 2 gives at the edge of a lane write to it, and the row before and after.
fn collide(collision: Collision) -> (u64, u64, u64) {
    let mut s = simulate(&memory(collision));
    clock(&mut s, &[("we_b", 1), ("row_b", 2), ("data_b", 0xabc)]);
    let write = [("we_a", 1), ("row_a", 2), ("data_a", 0x123), ("lanes", 0b010)];
    clock(&mut s, &[("we_b", 0), ("read", 1), ("row", 2)]);
    let before = {
        s.evaluate();
        output(&s, "q")
    };
    clock(&mut s, &write);
    clock(&mut s, &[("we_a", 0), ("read", 0)]);
    let during = output(&s, "q");
    clock(&mut s, &[("row", 1)]);
    assert_eq!(output(&s, "q"), during, "a disabled read holds its data");
    clock(&mut s, &[("read", 1), ("row", 2)]);
    clock(&mut s, &[]);
    (before, during, output(&s, "q"))
}

#[test]
fn a_collision_gives_what_the_memory_promises() {
    assert_eq!(collide(Collision::ReadFirst), (0xabc, 0xabc, 0xa2c));
    assert_eq!(collide(Collision::WriteFirst), (0xabc, 0xa2c, 0xa2c));
    let (before, during, after) = collide(Collision::Undefined);
    assert_eq!((before, after), (0xabc, 0xa2c));
    assert!(during != before && during != after, "noise is neither: {during:x}");
}

#[test]
fn a_read_without_clock_shows_the_row_as_it_is() {
    for width in [12, 130] {
        let m = ModuleBuilder::new("looked_at");
        let ram = m.memory("ram", 5, width, 1, Collision::ReadFirst);
        ram.write(m.input("write", 1), m.input("row", 3), m.input("data", width));
        let (clocked, row) = (m.input("clocked", 1), m.input("at", 3));
        m.output("after", ram.read("later", clocked, row));
        m.output("now", ram.read_without_clock("row_now", row));
        m.output("next", ram.read_without_clock("row_next", row + 1));
        let module = m.finish();
        for mode in [GatingMode::Always, GatingMode::Never] {
            let mut s = simulate(&module);
            s.set_gating(mode);
            for row in 0..5 {
                s.set("data", Bits::from_fn(width, |i| i % 5 == row || i == width - 1));
                clock(&mut s, &[("write", 1), ("row", row.into())]);
            }
            let of = |row| Bits::from_fn(width, |i| i % 5 == row || i == width - 1);
            clock(&mut s, &[("write", 0), ("at", 2), ("clocked", 1)]);
            assert_eq!((s.get("now"), s.get("next")), (of(2), of(3)));
            // A row that is written is seen after the edge, and stays through a reset.
            s.set("data", Bits::ones(width));
            clock(&mut s, &[("write", 1), ("row", 2), ("clocked", 0)]);
            assert_eq!((s.get("now"), s.get("after")), (of(2), of(2)));
            clock(&mut s, &[("write", 0), ("rst", 1)]);
            assert_eq!((s.get("now"), s.get("after")), (Bits::ones(width), of(2)));
            clock(&mut s, &[("rst", 0), ("at", 3)]);
            assert_eq!((s.get("now"), s.get("next")), (of(3), of(4)));
        }
    }
}

#[test]
fn read_data_may_be_an_address_of_the_same_edge() {
    let m = ModuleBuilder::new("chase");
    let ram = m.memory("ram", 8, 3, 1, Collision::ReadFirst);
    let load = m.input("load", 1);
    ram.write(load, m.input("row", 3), m.input("data", 3));
    let pointer = m.wire("pointer", 3);
    pointer.set(ram.read("link", !load, *pointer));
    m.output("at", *pointer);
    let mut s = simulate(&m.finish());
    for row in 0..8 {
        clock(&mut s, &[("load", 1), ("row", row), ("data", (row + 3) % 8)]);
    }
    let mut seen = Vec::new();
    for _ in 0..5 {
        clock(&mut s, &[("load", 0)]);
        seen.push(output(&s, "at"));
    }
    for pair in seen.windows(2) {
        assert_eq!(pair[1], (pair[0] + 3) % 8);
    }
}

#[test]
fn later_assignments_win_and_conditions_take_the_first_branch() {
    let m = ModuleBuilder::new("choice");
    let (a, b, op) = (m.input("a", 1), m.input("b", 1), m.input("op", 3));
    let y = m.output_wire("y", 8);
    y.set(m.lit(8, 1));
    m.when(a, || y.set(m.lit(8, 2))).otherwise_when(b, || y.set(m.lit(8, 3))).otherwise(|| {
        m.switch(op, |s| {
            s.case(1, || y.set(m.lit(8, 11)));
            s.case(6, || y.set(m.lit(8, 16)));
        });
    });
    m.when(a & b, || y.set(m.lit(8, 4)));
    let mut s = simulate(&m.finish());
    let mut y = |a, b, op| {
        clock(&mut s, &[("a", a), ("b", b), ("op", op)]);
        output(&s, "y")
    };
    assert_eq!((y(1, 0, 0), y(0, 1, 0), y(1, 1, 0)), (2, 3, 4));
    assert_eq!((y(0, 0, 0), y(0, 0, 1), y(0, 0, 5), y(0, 0, 6), y(0, 0, 7)), (1, 11, 1, 16, 1));
}

/// A module whose register adds its input up, twice in another one.
fn nested() -> Module {
    let inner = ModuleBuilder::new("adder");
    let x = inner.input("x", 8);
    let sum = inner.reg("sum", 8, 0);
    sum.set(*sum + x);
    inner.memory("unused", 16, 4, 1, Collision::ReadFirst);
    inner.output("total", *sum);
    let inner = inner.finish();
    let m = ModuleBuilder::new("outer");
    let x = m.input("x", 8);
    let first = m.instance("u_first", &inner, &[("x", x)]);
    let second = m.instance("u_second", &inner, &[("x", first.output("total"))]);
    let (doubled, _) = ((x + x).named("doubled"), m.localparam("three", 2, 3));
    m.output("y", second.output("total"));
    let _ = doubled;
    m.finish()
}

#[test]
fn instances_have_their_own_state_under_dotted_names() {
    let mut s = simulate(&nested());
    clock(&mut s, &[("rst", 1)]);
    for _ in 0..4 {
        clock(&mut s, &[("rst", 0), ("x", 3)]);
    }
    s.evaluate();
    assert_eq!(value(&s, "u_first.sum"), Bits::new(8, 12));
    assert_eq!(value(&s, "u_second.sum"), Bits::new(8, 18));
    assert_eq!(value(&s, "u_second.x"), Bits::new(8, 12));
    assert_eq!(value(&s, "doubled"), Bits::new(8, 6));
    assert_eq!(output(&s, "y"), 18);
    let names: Vec<_> = s.signals().iter().map(|signal| signal.name.as_str()).collect();
    let top = ["rst", "x", "u_first_total", "u_second_total", "doubled", "y"];
    assert_eq!(names[..6], top);
    assert_eq!(names[6..9], ["u_first.x", "u_first.sum", "u_first.total"]);
    assert_eq!(names.len(), 12);
}

#[test]
fn storage_is_counted_from_the_circuit() {
    let storage = Netlist::flatten(&nested()).unwrap().storage();
    assert_eq!((storage.register_bits, storage.memory_bits), (16, 128));
    assert_eq!(storage.memories[1], ("u_second.unused".to_string(), 16, 4));
}

#[test]
fn names_without_effect_can_be_dropped() {
    let named = Netlist::flatten(&nested()).unwrap();
    let lean = Netlist::flatten_keeping(&nested(), Keep::Observable).unwrap();
    assert_eq!((named.computed_nets(), lean.computed_nets()), (3, 2));
}

#[test]
fn a_combinational_loop_is_named_in_the_order_of_its_signals() {
    let inner = ModuleBuilder::new("inverter");
    inner.output("y", !inner.input("a", 1));
    let inner = inner.finish();
    let m = ModuleBuilder::new("ring");
    let start = m.wire("start", 1);
    let u = m.instance("u_not", &inner, &[("a", *start)]);
    let back = (u.output("y") & m.input("enable", 1)).named("back");
    start.set(back);
    m.output("out", back);
    let error = Simulator::new(&m.finish()).err().expect("a loop");
    assert_eq!(
        error.to_string(),
        "combinational loop: start -> u_not.a -> u_not.y -> u_not_y -> back -> start"
    );
    assert!(matches!(error, NetlistError::Loop { signals } if signals.len() == 5));
}

#[test]
fn checks_are_looked_at_at_each_edge_without_reset() {
    let m = ModuleBuilder::new("checked");
    let x = m.input("x", 4);
    m.assert("below_nine", x.lt(9), "x stays below nine");
    m.assume("even", !x.bit(0), "x is even");
    m.cover("four", x.eq(4), "x is four");
    let mut s = simulate(&m.finish());
    clock(&mut s, &[("rst", 1), ("x", 15)]);
    for x in [4, 4, 10, 12, 2] {
        clock(&mut s, &[("rst", 0), ("x", x)]);
    }
    let found = s.violations();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].clock, found[0].count, found[0].kind), (3, 2, CheckKind::Assert));
    assert_eq!((&*found[0].name, &*found[0].doc), ("below_nine", "x stays below nine"));
    assert!(s.violations().is_empty(), "violations are drained");
    clock(&mut s, &[("x", 9)]);
    let found: Vec<_> = s.violations().into_iter().map(|v| (v.clock, v.name)).collect();
    assert_eq!(found, [(6, "below_nine".to_string()), (6, "even".to_string())]);
    assert_eq!(s.covers()[0].count, 2);
}

#[test]
#[should_panic(expected = "there is no input `b`; inputs are `rst`, `a`")]
fn an_unknown_port_is_named() {
    let m = ModuleBuilder::new("pass");
    m.output("y", m.input("a", 1));
    simulate(&m.finish()).set("b", Bits::new(1, 0));
}
