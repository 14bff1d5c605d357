//! A RAM whose reads give what is written at the same edge: the RAM itself may give anything then.

use warpsmith_rtl::{Collision, ModuleBuilder, Signal};

/// The one write port of a RAM.
#[derive(Clone, Copy)]
pub(super) struct Write<'m> {
    pub enable: Signal<'m>,
    pub row: Signal<'m>,
    pub data: Signal<'m>,
}

/// The one read port of a RAM: its data is there in the clock after `enable`, and stays until the
/// next.
#[derive(Clone, Copy)]
pub(super) struct Read<'m> {
    pub enable: Signal<'m>,
    pub row: Signal<'m>,
}

/// A RAM named `name` of that many rows. Gives the data read, named `<name>_read`.
pub(super) fn write_first<'m>(
    m: &'m ModuleBuilder,
    name: &str,
    doc: &str,
    rows: u32,
    write: Write<'m>,
    read: Read<'m>,
) -> Signal<'m> {
    let ram = m.memory(name, rows, write.data.width(), 1, Collision::Undefined).doc(doc);
    ram.write(write.enable, write.row, write.data);
    let data = ram.read(&format!("{name}_ram"), read.enable, read.row);
    let bypass = m
        .reg_without_reset(&format!("{name}_bypass"), 1)
        .doc("The row was written at the edge at which it was read.");
    let written = m.reg_without_reset(&format!("{name}_written"), write.data.width());
    m.when(read.enable, || {
        bypass.set(write.enable & write.row.eq(read.row));
        written.set(write.data);
    });
    bypass.mux(*written, data).named(&format!("{name}_read"))
}
