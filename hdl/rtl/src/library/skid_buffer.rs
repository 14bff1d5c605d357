//! Skid buffer: two slots, so that neither valid, payload nor ready passes through combinationally, at one
//! transfer per clock and one clock of latency.

use crate::{Module, ModuleBuilder};

use super::record::Record;
use super::stream::Stream;

/// The module `skid_buffer_w<width>`: `in_valid/in_ready/in_data` to `out_valid/out_ready/out_data`.
pub fn skid_buffer(width: u32) -> Module {
    let m = ModuleBuilder::new(&format!("skid_buffer_w{width}"));
    m.describe(&format!(
        "Skid buffer for {width} bits: registered valid, data and ready, one transfer per clock."
    ));
    let in_valid = m.input("in_valid", 1);
    let in_data = m.input("in_data", width);
    let out_ready = m.input("out_ready", 1);

    let valid = m.reg("valid", 1, 0).doc("The output place is taken.");
    let data = m.reg_without_reset("data", width);
    let skid_valid = m.reg("skid_valid", 1, 0).doc("The second place is taken: not ready.");
    let skid_data = m.reg_without_reset("skid_data", width);

    let leaves = (out_ready | !*valid).named("leaves").doc("The output place is free at the edge.");
    m.when(leaves, || {
        valid.set(in_valid | *skid_valid);
        data.set(skid_valid.mux(*skid_data, in_data));
    });
    // Captured even when not needed, which saves logic before the enable.
    m.when(!*skid_valid, || skid_data.set(in_data));
    skid_valid.set(!leaves & (in_valid | *skid_valid));

    m.output("in_ready", !*skid_valid);
    m.output("out_valid", *valid);
    m.output("out_data", *data);
    m.assert(
        "second_after_first",
        *valid | !*skid_valid,
        "The second place is taken only after the first.",
    );
    m.finish()
}

/// Puts a skid buffer named `name` behind `input`.
#[track_caller]
pub fn buffer<'m>(m: &'m ModuleBuilder, name: &str, input: Stream<'m>) -> Stream<'m> {
    attach(m, name, &skid_buffer(input.payload.fields().width()), input)
}

/// Puts an instance of a one-input one-output module with `in_*` and `out_*` ports behind `input`.
#[track_caller]
pub(super) fn attach<'m>(
    m: &'m ModuleBuilder,
    name: &str,
    module: &Module,
    input: Stream<'m>,
) -> Stream<'m> {
    let ready = m.wire(&format!("{name}_out_ready"), 1);
    let instance = m.instance(
        name,
        module,
        &[("in_valid", input.valid), ("in_data", input.payload.pack()), ("out_ready", *ready)],
    );
    input.ready.set(instance.output("in_ready"));
    Stream {
        valid: instance.output("out_valid"),
        payload: Record::unpack(input.payload.fields(), instance.output("out_data")).named(name),
        ready,
    }
}
