//! First-in first-out buffer over a memory.

use crate::{Collision, Module, ModuleBuilder, Reg, Signal, address_bits};

use super::skid_buffer::attach;
use super::stream::Stream;

/// Largest depth with asynchronous reads: LUT RAM on FPGAs that have it, else flip-flops. A deeper FIFO has
/// clocked reads, for block RAM.
const SHALLOW: u32 = 32;

/// The module `fifo_w<width>_d<depth>`: `in_valid/in_ready/in_data` to
/// `out_valid/out_ready/out_data`, and `count`, the number of words held.
///
/// One word in and one out per clock; a word is offered in the clock after it arrived.
///
/// # Panics
/// If `depth` is less than 2.
pub fn fifo(width: u32, depth: u32) -> Module {
    assert!(depth >= 2, "a FIFO holds at least 2 words, not {depth}");
    let m = ModuleBuilder::new(&format!("fifo_w{width}_d{depth}"));
    m.describe(&format!(
        "FIFO of {depth} words of {width} bits: one word in and one out per clock, offered in the\n\
         clock after it came."
    ));
    let in_valid = m.input("in_valid", 1);
    let in_data = m.input("in_data", width);
    let out_ready = m.input("out_ready", 1);

    let pointer_bits = address_bits(depth);
    let count_bits = address_bits(depth + 1);
    let write_pointer = m.reg("write_pointer", pointer_bits, 0);
    let read_pointer = m.reg("read_pointer", pointer_bits, 0);
    let count = m.reg("words_held", count_bits, 0);

    // For a power of two, the highest bit of the count.
    let full = match depth.is_power_of_two() {
        true => count.bit(pointer_bits),
        false => count.eq(depth),
    };
    let full = full.named("full");
    let push = (in_valid & !full).named("push");
    let pop = (out_ready & count.ne(0)).named("pop");
    m.when(push, || write_pointer.set(following(write_pointer, depth)));
    m.when(pop, || read_pointer.set(following(read_pointer, depth)));
    // Plus or minus one: -1 is all ones.
    let change = pop.repeat(count_bits - 1).concat(m.lit(1, 1));
    m.when(push ^ pop, || count.set(*count + change));

    let rows = m.memory("rows", depth, width, 1, Collision::WriteFirst);
    rows.write(push, *write_pointer, in_data);
    let head = match depth <= SHALLOW {
        true => rows.read_without_clock("head", *read_pointer),
        // The next row to offer is read at every edge; write-first makes a word that enters an empty FIFO
        // appear at once.
        false => {
            let next = pop.mux(following(read_pointer, depth), read_pointer).named("read_next");
            rows.read("head", m.lit(1, 1), next)
        }
    };

    m.output("in_ready", !full);
    m.output("out_valid", count.ne(0));
    m.output("out_data", head);
    m.output("count", *count);
    m.assert("count_in_range", count.le(depth), "No more words are held than there are rows.");
    m.finish()
}

/// The row after a pointer's, wrapping around.
fn following(pointer: Reg<'_>, depth: u32) -> Signal<'_> {
    let next = *pointer + 1;
    match depth.is_power_of_two() {
        true => next,
        false => pointer.eq(depth - 1).mux(pointer.module().lit(pointer.width(), 0), next),
    }
}

/// Puts a FIFO named `name` behind `input`.
#[track_caller]
pub fn buffer<'m>(m: &'m ModuleBuilder, name: &str, input: Stream<'m>, depth: u32) -> Stream<'m> {
    attach(m, name, &fifo(input.payload.fields().width(), depth), input)
}
