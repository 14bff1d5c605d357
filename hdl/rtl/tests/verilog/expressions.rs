//! Expressions and wires in the emitted text, and what constants decide.

use warpsmith_rtl::ModuleBuilder;
use warpsmith_rtl::verilog::EmitOptions;

use crate::{queue_head, text};

/// The emitted text of a module below its ports.
fn body(build: impl FnOnce(&ModuleBuilder)) -> String {
    let m = ModuleBuilder::new("sample");
    build(&m);
    let text = text(&m.finish(), "sample", &EmitOptions::default());
    let (_, body) = text.split_once(");\n").expect("ports");
    body.trim_end().trim_end_matches("endmodule\n`default_nettype wire").trim_end().to_string()
}

#[test]
fn a_wire_that_the_author_did_not_name_is_named_by_what_it_computes() {
    let text = body(|m| {
        let (a, b, c) = (m.input("a_number", 4), m.input("a_limit", 4), m.input("is_on", 1));
        for (name, node) in [
            ("below", a.lt(b) & c),
            ("same", a.eq(b) & c),
            ("three", a.eq(3) & c),
            ("none", !a.any() & c),
        ] {
            m.output(&format!("{name}_x"), node ^ a.bit(0));
            m.output(&format!("{name}_y"), node ^ a.bit(1));
        }
    });
    for line in [
        "wire _a_number_below_limit_and_is_on = (a_number < a_limit) & is_on;",
        "wire _a_number_is_limit_and_is_on = (a_number == a_limit) & is_on;",
        "wire _a_number_is3_and_is_on = (a_number == 4'd3) & is_on;",
        "wire _not_any_a_number_and_is_on = ~(|a_number) & is_on;",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
    // What a port always has needs no other name.
    let text = body(|m| {
        let sum = m.input("a", 4) + m.input("b", 4);
        m.output("total", sum);
        m.output("is_odd", sum.bit(0));
    });
    assert!(text.contains("assign total = a + b;") && text.contains("= total[0];"), "{text}");
}

#[test]
fn what_only_properties_read_stands_in_the_formal_section() {
    let all = text(&queue_head(), "queue_head", &EmitOptions::default());
    let (circuit, formal) = all.split_once("`ifdef FORMAL\n").expect("a formal section");
    let (formal, end) = formal.split_once("`endif\n").expect("its end");
    assert_eq!(end, "endmodule\n`default_nettype wire\n");
    assert!(!circuit.contains("in_range") && formal.contains("wire in_range = row <= 3'd4;"));
    for word in ["assert", "assume", "cover", "initial"] {
        assert!(!circuit.contains(word) && formal.contains(word), "{word}");
    }
    let plain = text(&queue_head(), "queue_head_rows", &EmitOptions::default());
    assert!(!plain.contains("FORMAL"), "a module without properties has no such section");
}

#[test]
fn bits_that_nothing_reads_are_read_by_a_sink() {
    let sink = |build: &dyn Fn(&ModuleBuilder)| {
        let body = body(build);
        body.lines().find(|line| line.contains("_unused")).map(|line| line.trim().to_string())
    };
    let some = sink(&|m| {
        let a = m.input("a", 8);
        m.output("y", m.concat(&[a.slice(5..7), a.bit(2)]));
    });
    let expected = "wire _unused = &{1'b0, rst, clk, a[1:0], a[4:3], a[7]};";
    assert_eq!(some.as_deref(), Some(expected));
    let whole = sink(&|m| {
        m.input("idle", 3);
        let q = m.reg("q", 1, 0);
        q.set(m.input("d", 1));
        m.output("y", *q);
    });
    assert_eq!(whole.as_deref(), Some("wire _unused = &{1'b0, idle};"));
    let none = sink(&|m| {
        let q = m.reg("q", 4, 0);
        q.set(m.input("d", 4));
        m.output("y", *q);
    });
    assert_eq!(none, None);
    // What no output needs is not written, so nothing needs to read it.
    let dead = sink(&|m| {
        let q = m.reg("q", 4, 0);
        let d = m.input("d", 4);
        q.set(d);
        (d + 1).named("never_needed");
        m.output("y", *q);
    });
    assert_eq!(dead, None);
}

#[test]
fn what_constants_decide_is_not_computed() {
    let y = |build: &dyn for<'m> Fn(&'m ModuleBuilder) -> warpsmith_rtl::Signal<'m>| {
        let m = ModuleBuilder::new("sample");
        m.output("y", build(&m));
        let text = text(&m.finish(), "sample", &EmitOptions::default());
        let line = text.lines().find(|line| line.contains("assign y")).expect("an assignment");
        line.trim().trim_start_matches("assign y = ").trim_end_matches(';').to_string()
    };
    // Comparisons that cannot fail, or cannot hold, which linters take for mistakes.
    assert_eq!(y(&|m| m.input("a", 4).ge(0)), "1'b1");
    assert_eq!(y(&|m| m.input("a", 4).le(15)), "1'b1");
    assert_eq!(y(&|m| m.input("a", 4).lt(0)), "1'b0");
    assert_eq!(y(&|m| m.input("a", 4).gt(15)), "1'b0");
    // Those that can are.
    assert_eq!(y(&|m| m.input("a", 4).le(14)), "a <= 4'd14");
    assert_eq!(y(&|m| m.input("a", 4).lt(1)), "a < 4'd1");
    // One bit is its own comparison.
    assert_eq!(y(&|m| m.input("a", 1).eq(1)), "a");
    assert_eq!(y(&|m| m.input("a", 1).ne(1)), "~a");
    assert_eq!(y(&|m| m.input("a", 1).any()), "a");
    // Neutral and absorbing operands.
    assert_eq!(y(&|m| m.input("a", 4) & m.lit(4, 0)), "4'd0");
    assert_eq!(y(&|m| m.input("a", 4) & 15), "a");
    assert_eq!(y(&|m| m.input("a", 4) | 15), "4'd15");
    assert_eq!(y(&|m| m.input("a", 4) ^ 0), "a");
    assert_eq!(y(&|m| m.input("a", 4) - 0), "a");
    assert_eq!(y(&|m| m.lit(4, 9) + m.lit(4, 9)), "4'd2");
    assert_eq!(y(&|m| m.lit(1, 0).mux(m.input("a", 4), m.input("b", 4))), "b");
    // Shifts that leave nothing, or nothing but the sign.
    assert_eq!(y(&|m| m.input("a", 4).shift_left(m.lit(9, 4))), "4'd0");
    assert_eq!(y(&|m| m.input("a", 4).shift_right(m.lit(3, 4))), "4'd0");
    assert_eq!(y(&|m| m.input("a", 4).shift_right_signed(m.lit(3, 7))), "{4{a[3]}}");
    assert_eq!(y(&|m| m.input("a", 4).shift_right(m.lit(3, 3))), "a >> 3'd3");
    assert_eq!(y(&|m| m.input("a", 4).slice(1..4).slice(1..2)), "a[2]");
}

#[test]
fn decided_conditions_leave_no_conditions() {
    let text = body(|m| {
        let (wire, a) = (m.wire("chosen", 4), m.input("a", 4));
        wire.set(0);
        m.when(m.lit(1, 1), || wire.set(3)).otherwise(|| wire.set(a));
        m.switch(m.lit(2, 2), |s| {
            s.case(1, || wire.set(1));
            s.case(2, || wire.set(7));
        });
        m.when(m.lit(1, 0), || wire.set(a));
        m.output("y", *wire);
    });
    assert!(text.contains("assign chosen = 4'd7;"), "{text}");
    assert!(!text.contains("always") && !text.contains("4'd3"), "{text}");
}

#[test]
fn operators_that_verilog_would_join_or_misread_are_kept_apart() {
    let text = body(|m| {
        let (a, by) = (m.input("a", 4), m.input("by", 40));
        m.output("odd", (!a).parity());
        m.output("none", (!a).all());
        m.output("not_parity", !a.parity());
        m.output("signed_shift", a.shift_right_signed(a) & a);
        m.output("far_shift", a.shift_left(by));
        m.output("bit_of_sum", (a + 1).bit(3));
    });
    for line in [
        "assign odd = ^(~a);",
        "assign none = &(~a);",
        "assign not_parity = ~(^a);",
        "= $unsigned($signed(a) >>> a);",
        "assign far_shift = a << ({32{(|by[39:32])}} | by[31:0]);",
        "wire [3:0] _a_plus1 = a + 4'd1;",
        "assign bit_of_sum = _a_plus1[3];",
    ] {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}
