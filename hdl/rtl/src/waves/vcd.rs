//! Value change dump, IEEE 1364 clause 18.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use vcd::{IdCode, TimescaleUnit, Value, VarType, Writer};

use super::{Format, Item};
use crate::netlist::SignalKind;

pub(super) struct Vcd {
    writer: Writer<BufWriter<File>>,
    codes: Vec<IdCode>,
}

impl Vcd {
    pub fn create(path: &Path, items: &[Item]) -> io::Result<Self> {
        let mut writer = Writer::new(BufWriter::new(File::create(path)?));
        let mut codes: Vec<IdCode> = Vec::new();
        writer.timescale(1, TimescaleUnit::NS)?;
        for item in items {
            match *item {
                Item::Scope(name) => writer.add_module(name)?,
                Item::Up => writer.upscope()?,
                Item::Signal { name, width, kind, trace } => {
                    let kind = match kind {
                        SignalKind::Register => VarType::Reg,
                        _ => VarType::Wire,
                    };
                    match codes.get(trace) {
                        Some(code) => writer.var_def(kind, width, *code, name, None)?,
                        None => codes.push(writer.add_var(kind, width, name, None)?),
                    }
                }
            }
        }
        writer.enddefinitions()?;
        Ok(Self { writer, codes })
    }
}

impl Format for Vcd {
    fn time(&mut self, time: u64) -> io::Result<()> {
        self.writer.timestamp(time)
    }

    fn change(&mut self, trace: usize, digits: &[u8]) -> io::Result<()> {
        let value = |digit: u8| if digit == b'1' { Value::V1 } else { Value::V0 };
        match digits {
            [digit] => self.writer.change_scalar(self.codes[trace], value(*digit)),
            _ => self.writer.change_vector(self.codes[trace], digits.iter().map(|d| value(*d))),
        }
    }

    fn finish(&mut self) -> io::Result<()> {
        self.writer.writer().flush()
    }
}
