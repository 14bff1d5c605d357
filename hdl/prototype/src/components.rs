//! A rust_hdl component for each block of the registry at preset `fpga`, in two forms: `HmgDirectory` with the
//! ports of the block, and `HmgDirectoryChannels` with a port for each payload, for the board's tops.
//!
//! In rust_hdl's simulator a component runs our native simulator; in the Verilog that rust_hdl emits it is our
//! Verilog. Ports are named as in Verilog and documented by `warpsmith show BLOCK`.

use rust_hdl::prelude::*;

use crate::native::{Native, Value};
use crate::shape;

/// What is the same for every component: its ports by their number, which is that of the pin in [`shape`].
pub trait Component: Block {
    /// The block's name.
    fn block(&self) -> &'static str;
    /// Sets the clock.
    fn set_clock(&mut self, high: bool);
    /// Sets an input.
    ///
    /// # Panics
    /// If no input has that number.
    fn set(&mut self, pin: usize, words: &[u64]);
    /// The value of an output.
    ///
    /// # Panics
    /// If no output has that number.
    fn get(&self, pin: usize) -> Vec<u64>;
    /// Lets rust_hdl's simulator update the component until nothing changes. False if that does not end.
    fn simulate(&mut self) -> bool;
    /// The Verilog that rust_hdl emits, of which the top module is `top`.
    fn verilog(&mut self) -> String;
}

macro_rules! pins {
    (ports) => {
        |_, circuit| shape::ports(circuit)
    };
    (channels) => {
        shape::channels
    };
}

macro_rules! component {
    (
        $doc:literal $name:ident = $block:literal $pins:ident;
        inputs { $($in_doc:literal $input:ident: $in_type:ty = $in_pin:literal;)* }
        outputs { $($out_doc:literal $output:ident: $out_type:ty = $out_pin:literal;)* }
    ) => {
        #[doc = $doc]
        #[derive(LogicBlock)]
        pub struct $name {
            /// Clock; everything happens at its rising edge.
            pub clk: Signal<In, Clock>,
            $(#[doc = $in_doc] pub $input: Signal<In, $in_type>,)*
            $(#[doc = $out_doc] pub $output: Signal<Out, $out_type>,)*
            _native: Box<Native>,
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    clk: Signal::default(),
                    $($input: Signal::default(),)*
                    $($output: Signal::default(),)*
                    _native: Box::new(Native::new($block, pins!($pins))),
                }
            }
        }

        impl Logic for $name {
            fn update(&mut self) {
                $(self._native.write($in_pin, self.$input.val());)*
                self._native.settle(self.clk.pos_edge());
                $(self.$output.next = self._native.read($out_pin);)*
            }

            fn connect(&mut self) {
                $(self.$output.connect();)*
            }

            fn hdl(&self) -> Verilog {
                self._native.hdl()
            }
        }

        impl Component for $name {
            fn block(&self) -> &'static str {
                $block
            }

            fn set_clock(&mut self, high: bool) {
                self.clk.next = high.into();
            }

            fn set(&mut self, pin: usize, words: &[u64]) {
                match pin {
                    $($in_pin => self.$input.next = Value::from_words(words),)*
                    _ => panic!("{} has no input {pin}", $block),
                }
            }

            fn get(&self, pin: usize) -> Vec<u64> {
                match pin {
                    $($out_pin => self.$output.val().into_words(),)*
                    _ => panic!("{} has no output {pin}", $block),
                }
            }

            fn simulate(&mut self) -> bool {
                simulate(self, 16)
            }

            fn verilog(&mut self) -> String {
                self.connect_all();
                generate_verilog(self)
            }
        }
    };
}

include!(concat!(env!("OUT_DIR"), "/components.rs"));
