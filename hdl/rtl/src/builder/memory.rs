//! Memories of a module under construction, and their ports.

use super::ModuleBuilder;
use super::signal::Signal;
use crate::ir::{Collision, Memory, NodeId, Op, ReadPort, WritePort, address_bits};

/// A memory made by [`ModuleBuilder::memory`]; ports are added to it.
#[derive(Clone, Copy)]
pub struct MemoryHandle<'m> {
    module: &'m ModuleBuilder,
    index: u32,
    address_bits: u32,
    width: u32,
    lanes: u32,
}

impl ModuleBuilder {
    /// Adds a memory, uninitialised at power-up.
    ///
    /// # Panics
    /// If there are fewer than two rows or the lanes do not divide the width.
    #[track_caller]
    pub fn memory(
        &self,
        name: &str,
        rows: u32,
        width: u32,
        lanes: u32,
        collision: Collision,
    ) -> MemoryHandle<'_> {
        assert!(rows >= 2, "memory `{name}` has {rows} rows; at least 2 are needed");
        assert!(
            lanes >= 1 && width.is_multiple_of(lanes),
            "memory `{name}`: {lanes} lanes do not divide {width} bits"
        );
        let mut state = self.state.borrow_mut();
        let (name, doc) = (state.names.take(name), None);
        let (write_ports, read_ports) = (Vec::new(), Vec::new());
        state.data.memories.push(Memory {
            name,
            doc,
            rows,
            width,
            lanes,
            collision,
            write_ports,
            read_ports,
        });
        let index = state.data.memories.len() as u32 - 1;
        MemoryHandle { module: self, index, address_bits: address_bits(rows), width, lanes }
    }
}

impl<'m> MemoryHandle<'m> {
    /// Adds a comment to the memory.
    pub fn doc(self, text: &str) -> Self {
        let mut state = self.module.state.borrow_mut();
        state.data.memories[self.index as usize].doc = Some(text.to_string());
        drop(state);
        self
    }

    /// Adds a port that writes all lanes.
    #[track_caller]
    pub fn write(&self, enable: Signal<'m>, address: Signal<'m>, data: Signal<'m>) {
        self.add_write(enable, address, data, None);
    }

    /// Adds a port that writes the lanes whose bit in `lanes` is one.
    #[track_caller]
    pub fn write_lanes(
        &self,
        enable: Signal<'m>,
        address: Signal<'m>,
        data: Signal<'m>,
        lanes: Signal<'m>,
    ) {
        assert!(
            lanes.width() == self.lanes,
            "the memory has {} lanes, {lanes} is {} bits",
            self.lanes,
            lanes.width()
        );
        self.add_write(enable, address, data, Some(lanes.id));
    }

    #[track_caller]
    fn add_write(
        &self,
        enable: Signal<'m>,
        address: Signal<'m>,
        data: Signal<'m>,
        lanes: Option<NodeId>,
    ) {
        enable.expect_bit("a write enable");
        self.expect_address(address);
        assert!(
            data.width() == self.width,
            "a row is {} bits, the data {data} is {} bits",
            self.width,
            data.width()
        );
        let port = WritePort { enable: enable.id, address: address.id, data: data.id, lanes };
        let mut state = self.module.state.borrow_mut();
        state.data.memories[self.index as usize].write_ports.push(port);
    }

    /// Adds a read port named `name`; its data is available in the clock after the address.
    #[track_caller]
    pub fn read(&self, name: &str, enable: Signal<'m>, address: Signal<'m>) -> Signal<'m> {
        enable.expect_bit("a read enable");
        self.add_read(name, Some(enable.id), address)
    }

    /// Adds a read port named `name` whose data is the row at `address` in the same clock. It costs a
    /// multiplexer over the rows, or LUT RAM on FPGAs that have it, so it suits few rows.
    #[track_caller]
    pub fn read_without_clock(&self, name: &str, address: Signal<'m>) -> Signal<'m> {
        self.add_read(name, None, address)
    }

    #[track_caller]
    fn add_read(&self, name: &str, enable: Option<NodeId>, address: Signal<'m>) -> Signal<'m> {
        self.expect_address(address);
        let ports = self.module.state.borrow().data.memories[self.index as usize].read_ports.len();
        let port = ports as u32;
        let op = Op::ReadData { memory: self.index, port };
        let data = self.module.add_named(name, op, self.width);
        let read = ReadPort { enable, address: address.id, data: data.id };
        let mut state = self.module.state.borrow_mut();
        state.data.memories[self.index as usize].read_ports.push(read);
        drop(state);
        data
    }

    #[track_caller]
    fn expect_address(&self, address: Signal<'m>) {
        assert!(
            address.width() == self.address_bits,
            "the memory's addresses are {} bits, {address} is {} bits",
            self.address_bits,
            address.width()
        );
    }
}
