//! Fast signal trace, the compressed format of GTKWave and Surfer.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use fst_writer::{
    FstBodyWriter, FstFileType, FstInfo, FstScopeType, FstSignalId, FstSignalType, FstVarDirection,
    FstVarType, FstWriteError, open_fst,
};

use super::{Format, Item};
use crate::netlist::SignalKind;

/// Most bytes of changes to buffer, so that memory use does not grow with the run.
const HELD_BACK: usize = 32 << 20;

pub(super) struct Fst {
    /// Present until the file is complete.
    body: Option<FstBodyWriter<BufWriter<File>>>,
    ids: Vec<FstSignalId>,
}

impl Fst {
    pub fn create(path: &Path, items: &[Item]) -> io::Result<Self> {
        let info = FstInfo {
            start_time: 0,
            timescale_exponent: -9,
            version: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_string(),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let mut header = open_fst(path, &info).map_err(as_io)?;
        let mut ids: Vec<FstSignalId> = Vec::new();
        for item in items {
            match *item {
                Item::Scope(name) => header.scope(name, "", FstScopeType::Module).map_err(as_io)?,
                Item::Up => header.up_scope().map_err(as_io)?,
                Item::Signal { name, width, kind, trace } => {
                    let (variable, direction) = match kind {
                        SignalKind::Input => (FstVarType::Wire, FstVarDirection::Input),
                        SignalKind::Output => (FstVarType::Wire, FstVarDirection::Output),
                        SignalKind::Register => (FstVarType::Reg, FstVarDirection::Implicit),
                        SignalKind::Wire => (FstVarType::Wire, FstVarDirection::Implicit),
                    };
                    let alias = ids.get(trace).copied();
                    let bits = FstSignalType::bit_vec(width);
                    let id = header.var(name, bits, variable, direction, alias).map_err(as_io)?;
                    if alias.is_none() {
                        ids.push(id);
                    }
                }
            }
        }
        Ok(Self { body: Some(header.finish().map_err(as_io)?), ids })
    }

    fn body(&mut self) -> &mut FstBodyWriter<BufWriter<File>> {
        self.body.as_mut().expect("not finished")
    }
}

impl Format for Fst {
    fn time(&mut self, time: u64) -> io::Result<()> {
        // The writer allows a flush only right before a new time.
        if self.body().size() > HELD_BACK {
            self.body().flush().map_err(as_io)?;
        }
        self.body().time_change(time).map_err(as_io)
    }

    fn change(&mut self, trace: usize, digits: &[u8]) -> io::Result<()> {
        let id = self.ids[trace];
        self.body().signal_change(id, digits).map_err(as_io)
    }

    fn finish(&mut self) -> io::Result<()> {
        let body = self.body.take().expect("finished once");
        body.finish().map_err(as_io)?.flush()
    }
}

fn as_io(error: FstWriteError) -> io::Error {
    match error {
        FstWriteError::Io(error) => error,
        other => io::Error::other(other),
    }
}
