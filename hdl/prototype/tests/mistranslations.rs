//! The forms that rust_hdl translates wrongly, as docs/rust_hdl.md lists them: in its simulator each means what
//! Rust says, and in the Verilog that it emits something else, without a warning. The form beside it is right.

use rust_hdl::prelude::*;
use warpsmith_rtl::PortLayout;
use warpsmith_testbench::backend::Models;
use warpsmith_testbench::verilator::{VerilogFile, VerilogSource};

#[path = "../../../testbench/tests/support/tools.rs"]
mod tools;

#[derive(LogicBlock, Default)]
struct Forms {
    a: Signal<In, Bits<8>>,
    b: Signal<In, Bits<8>>,
    c: Signal<In, Bits<8>>,
    wrong_parentheses: Signal<Out, Bit>,
    right_parentheses: Signal<Out, Bit>,
    wrong_carry: Signal<Out, Bits<9>>,
    right_carry: Signal<Out, Bits<9>>,
    wrong_width: Signal<Out, Bit>,
    right_width: Signal<Out, Bit>,
    sum: Signal<Local, Bits<8>>,
    next: Signal<Local, Bits<8>>,
}

impl Logic for Forms {
    #[hdl_gen]
    #[rustfmt::skip]
    fn update(&mut self) {
        self.wrong_parentheses.next = self.a.val() & self.b.val() == self.c.val();
        self.right_parentheses.next = (self.a.val() & self.b.val()) == self.c.val();

        self.wrong_carry.next = bit_cast::<9, 8>(self.a.val() + self.b.val());
        self.sum.next = self.a.val() + self.b.val();
        self.right_carry.next = bit_cast::<9, 8>(self.sum.val());

        self.wrong_width.next = self.a.val() + 1 < self.c.val();
        self.next.next = self.a.val() + 1;
        self.right_width.next = self.next.val() < self.c.val();
    }
}

/// The outputs wrong and right of each form, in rust_hdl's simulator and Verilated.
fn outputs(a: u64, b: u64, c: u64) -> [Vec<u64>; 2] {
    let mut forms = Forms::default();
    forms.connect_all();
    (forms.a.next, forms.b.next, forms.c.next) = (a.into(), b.into(), c.into());
    assert!(simulate(&mut forms, 16));
    let simulated = vec![
        forms.wrong_parentheses.val().into(),
        forms.right_parentheses.val().into(),
        forms.wrong_carry.val().into(),
        forms.right_carry.val().into(),
        forms.wrong_width.val().into(),
        forms.right_width.val().into(),
    ];
    let mut layout = PortLayout::default();
    for port in ["a", "b", "c"] {
        layout.push_input(port, 8);
    }
    for (form, width) in [("parentheses", 1), ("carry", 9), ("width", 1)] {
        layout.push_output(format!("wrong_{form}"), width);
        layout.push_output(format!("right_{form}"), width);
    }
    let file = VerilogFile { name: "top.v".to_string(), text: generate_verilog(&forms) };
    let source = VerilogSource { top: "top".to_string(), files: vec![file] };
    let models = Models::of_verilog(&source, &layout, false).unwrap();
    let mut verilated = vec![0; 6];
    models.instance().unwrap().clock(&[a, b, c], &mut verilated);
    [simulated, verilated]
}

#[test]
fn three_forms_mean_something_else_in_verilog() {
    if !tools::verilator() {
        return;
    }
    a_comparison_of_a_mask_loses_its_parentheses();
    a_sum_that_is_cast_to_more_bits_keeps_its_carry();
    a_sum_with_a_literal_is_compared_in_32_bits();
}

fn a_comparison_of_a_mask_loses_its_parentheses() {
    // 6 & 3 is 2, but b == c is false.
    let [simulated, verilated] = outputs(6, 3, 2);
    assert_eq!((&simulated[..2], &verilated[..2]), (&[1, 1][..], &[0, 1][..]));
}

fn a_sum_that_is_cast_to_more_bits_keeps_its_carry() {
    let [simulated, verilated] = outputs(255, 1, 0);
    assert_eq!((&simulated[2..4], &verilated[2..4]), (&[0, 0][..], &[256, 0][..]));
}

fn a_sum_with_a_literal_is_compared_in_32_bits() {
    // 255 + 1 is 0 in eight bits, which is less than 1.
    let [simulated, verilated] = outputs(255, 0, 1);
    assert_eq!((&simulated[4..], &verilated[4..]), (&[1, 1][..], &[0, 1][..]));
}
