//! Mistakes of a circuit's author are refused where they stand, by the names of what they are about.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use warpsmith_rtl::library::arbiter::round_robin;
use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::library::{min_tree, one_hot};
use warpsmith_rtl::{Collision, ModuleBuilder};

thread_local! {
    /// While a refusal is awaited: file, line and message of the last panic.
    static AWAITED: RefCell<Option<(String, u32, String)>> = const { RefCell::new(None) };
}

/// The message with which `body` panics, in this file and not more than two lines below `line`.
fn refusal(line: u32, body: impl FnOnce()) -> String {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let place = panic.location().expect("a panic has a place");
            let payload = panic.payload();
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| text.to_string()));
            let text = text.unwrap_or_default();
            let awaited = AWAITED.with_borrow_mut(|slot| {
                slot.as_mut().map(|s| *s = (place.file().to_string(), place.line(), text))
            });
            if awaited.is_none() {
                before(panic);
            }
        }));
    });
    AWAITED.set(Some((String::new(), 0, String::new())));
    let result = catch_unwind(AssertUnwindSafe(body));
    let (file, at, message) = AWAITED.take().expect("it was put there above");
    assert!(result.is_err(), "nothing was refused at line {line}");
    assert!(
        file == file!() && (line..=line + 2).contains(&at),
        "`{message}` is said to be at {file}:{at}, the mistake is at {}:{line}",
        file!()
    );
    message
}

/// Asserts that an expression is refused at its own line with all of these texts.
macro_rules! refused {
    ($mistake:expr, $($text:expr),+ $(,)?) => {{
        let message = refusal(line!(), || { let _ = $mistake; });
        for text in [$($text),+] {
            assert!(message.contains(text), "`{message}` lacks `{text}`");
        }
    }};
}

#[test]
fn operands_of_different_widths_are_named_with_both_widths() {
    let m = ModuleBuilder::new("widths");
    let (a, b) = (m.input("a", 8), m.input("b", 5));
    refused!(a + b, "+ of different widths", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a - b, "- of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a * b, "* of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a & b, "& of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a | b, "| of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a ^ b, "^ of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.eq(b), "== of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.ne(b), "!= of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.lt(b), "< of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.le(b), "<= of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.gt(b), "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.ge(b), "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.lt_signed(b), "signed < of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.le_signed(b), "signed <= of", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.add_with_carry(b), "+ of", "`a` is 8 bits", "`b` is 5 bits");
    // A value without a name is named by its shape.
    refused!((a & a) + !b, "And(a, a) is 8 bits", "Not(b) is 5 bits");
    refused!(a + m.lit(5, 3), "`a` is 8 bits", "5'd3 is 5 bits");
}

#[test]
fn choices_are_made_on_one_bit_between_equal_widths() {
    let m = ModuleBuilder::new("choices");
    let (a, b, one) = (m.input("a", 8), m.input("b", 5), m.input("one", 1));
    refused!(one.mux(a, b), "mux of different widths", "`a` is 8 bits", "`b` is 5 bits");
    refused!(a.mux(b, b), "the condition of a choice is one bit", "`a` is 8 bits");
    refused!(m.when(a, || ()), "a condition is one bit", "`a` is 8 bits");
    refused!(m.when(one, || ()).otherwise_when(b, || ()), "a condition is one bit", "`b` is 5");
    refused!(a.and_where(b), "a mask is one bit", "`b` is 5 bits");
    refused!(m.assert("property", a, ""), "a property is one bit", "`a` is 8 bits");
}

#[test]
fn an_assignment_is_as_wide_as_its_target() {
    let m = ModuleBuilder::new("assignments");
    let a = m.input("a", 8);
    let (wire, register) = (m.wire("wide", 9), m.reg("held", 7, 0));
    refused!(wire.set(a), "an assignment of different widths", "`wide` is 9 bits", "`a` is 8 bits");
    refused!(register.set(a), "an assignment", "`held` is 7 bits", "`a` is 8 bits");
    refused!(register.set(128), "the integer 128 does not fit beside `held`", "7 bits");
}

#[test]
fn bits_are_taken_from_where_there_are_some() {
    let m = ModuleBuilder::new("bits");
    let a = m.input("a", 8);
    refused!(a.slice(4..9), "bits 4..9 of `a`", "8 bits");
    refused!(a.slice(4..4), "bits 4..4 of `a`");
    refused!(a.bit(8), "`a`", "8 bits");
    refused!(a.truncate(9), "`a`", "8 bits");
    refused!(a.zero_extend(7), "`a` is 8 bits, more than 7");
    refused!(a.sign_extend(7), "`a` is 8 bits, more than 7");
    refused!(m.concat(&[]), "a concatenation has at least one part");
    refused!(a.repeat(0), "a concatenation has at least one part");
}

#[test]
fn an_integer_fits_beside_its_left_operand() {
    let m = ModuleBuilder::new("integers");
    let a = m.input("a", 4);
    refused!(a + 16, "the integer 16 does not fit beside `a`, which is 4 bits");
    refused!(a & -1, "the integer -1 does not fit beside `a`");
    refused!(a.lt(usize::MAX), "does not fit beside `a`");
    refused!(m.lit(4, 16), "the value 16 does not fit in 4 bits");
    refused!(m.reg("state", 2, 4), "the value 4 does not fit in 2 bits");
    refused!(m.localparam("limit", 3, 8), "the value 8 does not fit in 3 bits");
    refused!(m.lit(0, 0), "at least one bit");
    // The largest fits.
    assert_eq!((a + 15).width(), 4);
    assert_eq!((m.input("wide", 70) + u64::MAX).width(), 70);
}

#[test]
fn a_name_is_used_once_and_its_first_place_is_told() {
    let m = ModuleBuilder::new("names");
    let first = line!() + 1;
    let a = m.input("a", 4);
    let place = format!("first at {}:{first}:", file!());
    refused!(m.input("a", 4), "the name `a` is already used in this module", place.as_str());
    refused!(m.wire("a", 1), "`a` is already used");
    refused!(m.reg("a", 1, 0), "`a` is already used");
    refused!(m.memory("a", 4, 4, 1, Collision::ReadFirst), "`a` is already used");
    refused!((a + 1).named("a"), "`a` is already used");
    refused!(m.localparam("a", 1, 0), "`a` is already used");
    refused!(m.assert("a", a.any(), ""), "`a` is already used");
    refused!(m.output("a", a), "`a` is already used");
    // Names that every module has, its own among them.
    refused!(m.input("clk", 1), "`clk` is already used");
    refused!(m.input("rst", 1), "`rst` is already used");
    refused!(m.input("names", 1), "`names` is already used");
    // A prefix makes another name.
    m.scope("stage", || m.wire("a", 4).set(a));
    refused!(m.input("stage_a", 1), "`stage_a` is already used");
}

#[test]
fn names_are_legal_in_every_verilog() {
    let m = ModuleBuilder::new("legal");
    for word in ["wire", "reg", "bit", "logic", "packed", "assert", "module", "priority", "do"] {
        refused!(m.input(word, 1), &*format!("`{word}` is a reserved word"));
        refused!(ModuleBuilder::new(word), "is a reserved word");
    }
    for name in ["", "A", "aB", "1a", "_a", "a-b", "a b", "é", "a.b", "a$"] {
        refused!(m.input(name, 1), "is not a snake_case identifier");
        refused!(ModuleBuilder::new(name), "is not a snake_case identifier");
    }
    // Only the whole name counts.
    m.scope("wire", || m.input("bit", 1));
}

#[test]
fn a_wire_has_a_value_on_every_path() {
    let build = |body: &dyn Fn(&ModuleBuilder)| {
        let m = ModuleBuilder::new("paths");
        body(&m);
        m.finish();
    };
    let never = |m: &ModuleBuilder| {
        m.wire("loose", 3);
    };
    let declared = line!() - 2;
    let place = format!("declared at {}:{declared}:", file!());
    let unfinished = |body: &dyn Fn(&ModuleBuilder)| {
        let m = ModuleBuilder::new("paths");
        body(&m);
        refused!(m.finish(), "wire `loose` of module `paths`", "has no value on some path");
    };
    let m = ModuleBuilder::new("paths");
    never(&m);
    refused!(m.finish(), "wire `loose` of module `paths`", place.as_str());
    unfinished(&|m| {
        let wire = m.wire("loose", 3);
        m.when(m.input("a", 1), || wire.set(1));
    });
    unfinished(&|m| {
        let (wire, a) = (m.wire("loose", 3), m.input("a", 2));
        m.when(a.bit(0), || wire.set(1)).otherwise_when(a.bit(1), || wire.set(2));
    });
    // A switch without a default, even with all cases: one more bit would make it wrong.
    unfinished(&|m| {
        let (wire, a) = (m.wire("loose", 3), m.input("a", 1));
        m.switch(a, |s| {
            s.case(0, || wire.set(1));
            s.case(1, || wire.set(2));
        });
    });
    unfinished(&|m| {
        let (wire, a) = (m.wire("loose", 3), m.input("a", 1));
        m.switch(a, |s| {
            s.case(0, || ());
            s.default(|| wire.set(2));
        });
    });
    build(&|m| {
        let (wire, a) = (m.wire("whole", 3), m.input("a", 2));
        m.when(a.bit(0), || wire.set(1)).otherwise(|| wire.set(2));
    });
    build(&|m| {
        let (wire, a) = (m.wire("whole", 3), m.input("a", 2));
        m.when(a.bit(0), || wire.set(1));
        m.switch(a, |s| {
            s.case(0, || wire.set(1));
            s.default(|| wire.set(2));
        });
    });
    // What constants decide is no path.
    build(&|m| {
        let wire = m.wire("whole", 3);
        m.when(m.lit(1, 1), || wire.set(1));
    });
}

#[test]
fn the_cases_of_a_switch_are_different_constants_of_its_width() {
    let m = ModuleBuilder::new("cases");
    let (a, b) = (m.input("a", 2), m.input("b", 2));
    m.switch(a, |s| {
        s.case(1, || ());
        refused!(s.case(1, || ()), "the switch on `a` has two cases 2'd1");
        refused!(s.case(b, || ()), "the case `b` of a switch on `a` is not a constant");
        refused!(s.case(4, || ()), "the integer 4 does not fit beside `a`");
        refused!(s.case(m.lit(3, 2), || ()), "switch of different widths", "3'd2 is 3 bits");
        // A named constant is the same case as its value.
        let same = m.localparam("state_one", 2, 1);
        refused!(s.case(same, || ()), "has two cases 2'd1");
        s.case(2, || ());
    });
}

#[test]
fn an_instance_is_given_each_input_once() {
    let m = ModuleBuilder::new("outer");
    let (requests, bit) = (m.input("requests", 3), m.input("one", 1));
    let inner = round_robin(3);
    let (r, a) = (("requests", requests), ("advance", bit));
    refused!(
        m.instance("u", &inner, &[r]),
        "instance `u` of `round_robin_arbiter_n3`",
        "`advance`"
    );
    refused!(m.instance("u", &inner, &[r, a, r]), "give input `requests` once");
    refused!(m.instance("u", &inner, &[r, a, ("more", bit)]), "no input `more`");
    refused!(m.instance("u", &inner, &[r, a, ("clk", bit)]), "no input `clk`");
    let narrow = [("requests", bit), a];
    refused!(m.instance("u", &inner, &narrow), "`requests`", "is 3 bits", "`one` is 1 bits");
    let instance = m.instance("u", &inner, &[a, r]);
    m.wire("v_grant", 1).set(0);
    refused!(m.instance("v", &inner, &[r, a]), "the name `v_grant` is already used");
    m.wire("phase_one", 1).set(0);
    refused!(m.states("phase", ["zero", "one"]), "the name `phase_one` is already used");
    assert_eq!(instance.output("grant").width(), 3);
    refused!(instance.output("grants"), "has no output `grants`", "\"grant\"");
    refused!(m.instance("u", &inner, &[r, a]), "the name `u` is already used");
}

#[test]
fn memories_and_their_ports_fit_together() {
    let m = ModuleBuilder::new("memories");
    let (one, row, data) = (m.input("one", 1), m.input("row", 3), m.input("data", 8));
    let kind = Collision::ReadFirst;
    refused!(m.memory("small", 1, 8, 1, kind), "memory `small` has 1 rows");
    refused!(m.memory("odd", 4, 8, 3, kind), "memory `odd`", "3 lanes do not divide 8 bits");
    let ram = m.memory("ram", 5, 8, 2, kind);
    refused!(ram.write(one, one, data), "addresses are 3 bits", "`one` is 1 bits");
    refused!(ram.write(one, row, row), "a row is 8 bits", "`row` is 3 bits");
    refused!(ram.write(row, row, data), "a write enable is one bit", "`row` is 3 bits");
    refused!(ram.write_lanes(one, row, data, one), "2 lanes", "`one` is 1 bits");
    refused!(ram.read("out", data, row), "a read enable is one bit", "`data` is 8 bits");
    refused!(ram.read("out", one, data), "addresses are 3 bits", "`data` is 8 bits");
}

#[test]
fn signals_of_two_modules_do_not_mix() {
    let (m, other) = (ModuleBuilder::new("first"), ModuleBuilder::new("second"));
    let (a, b) = (m.input("a", 4), other.input("b", 4));
    refused!(a + b, "+ of `a` and `b`, which belong to different modules");
    refused!(m.wire("w", 4).set(b), "belong to different modules");
}

#[test]
fn parts_of_the_library_refuse_at_the_callers_line() {
    let m = ModuleBuilder::new("parts");
    let (a, b) = (m.input("a", 8), m.input("b", 5));
    let fields = Fields::new().with("kind", 3, "").with("body", 5, "");
    refused!(Record::new(&fields, vec![b]), "2 fields is given 1 values");
    refused!(Record::new(&fields, vec![b, b]), "field `kind` is 3 bits, `b` is 5 bits");
    refused!(Record::unpack(&fields, b), "the record is 8 bits, `b` is 5 bits");
    let record = Record::unpack(&fields, a);
    refused!(record.get("none"), "no field `none`", "\"kind\", \"body\"");
    refused!(min_tree::minimum(&[]), "the minimum of no values");
    refused!(one_hot::select(b, &[a]), "`b` selects among 5 values, but 1 are given");
}
