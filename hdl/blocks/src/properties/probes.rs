//! Signals inside a circuit, as inputs of its properties.

use std::cell::RefCell;

use warpsmith_rtl::library::record::{Fields, Record};
use warpsmith_rtl::{ModuleBuilder, Signal};

use super::PART;
use crate::channel::Channel;
use crate::circuit::record;

/// Makes inputs that show signals inside the circuit, one for each.
#[derive(Default)]
pub struct Probes {
    shown: RefCell<Vec<(String, String)>>,
}

impl Probes {
    /// The signal of that path, such as `stage1_valid` or `effect.data`.
    #[track_caller]
    pub fn signal<'m>(&self, m: &'m ModuleBuilder, path: &str, width: u32) -> Signal<'m> {
        self.show(m, &path.replace('.', "_"), path.to_string(), width)
    }

    /// The signals `<prefix><field>` as a record.
    #[track_caller]
    pub fn record<'m>(&self, m: &'m ModuleBuilder, prefix: &str, fields: &Fields) -> Record<'m> {
        record(fields, |field| self.signal(m, &format!("{prefix}{}", field.name), field.width))
    }

    /// A row of the memory of that path.
    #[track_caller]
    pub fn row<'m>(&self, m: &'m ModuleBuilder, memory: &str, row: u32, width: u32) -> Signal<'m> {
        // The array that the Verilog writer gives a memory's module.
        let path = format!("{memory}._rows[{row}]");
        self.show(m, &format!("{}_row{row}", memory.replace('.', "_")), path, width)
    }

    /// The contract of a part of the circuit, an instance with those channels: `body` states it of
    /// inputs, which show the part's ports.
    pub fn part<T>(
        &self,
        m: &ModuleBuilder,
        instance: &str,
        channels: &[Channel],
        body: impl FnOnce() -> T,
    ) -> T {
        let ports = channels.iter().flat_map(Channel::ports);
        self.shown.borrow_mut().extend(
            ports.map(|port| (format!("{PART}{instance}_{port}"), format!("{instance}.{port}"))),
        );
        m.scope(&format!("{PART}{instance}"), body)
    }

    #[track_caller]
    fn show<'m>(&self, m: &'m ModuleBuilder, name: &str, path: String, width: u32) -> Signal<'m> {
        let name = format!("inside_{name}");
        let input = m.input(&name, width);
        self.shown.borrow_mut().push((name, path));
        input
    }

    /// Inputs and the signals that they show, for [`super::Properties::probes`].
    pub fn into_list(self) -> Vec<(String, String)> {
        self.shown.into_inner()
    }
}
