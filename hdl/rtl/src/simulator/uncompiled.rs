//! Stands for compiled designs where there are none.

use super::compile::Places;
use crate::netlist::Netlist;

/// The code of copies of a simulator, of which there is none.
#[derive(Clone, Default)]
pub(super) struct Shared {}

impl Shared {
    /// No copy has code.
    pub fn is_made(&self) -> bool {
        false
    }
}

/// Never made.
pub(super) enum Compiled {}

impl Compiled {
    pub fn possible() -> Result<(), String> {
        Err(if cfg!(feature = "compiled") {
            format!("there is no compiler of circuits for {}", std::env::consts::ARCH)
        } else {
            "this program was built without the feature `compiled`".to_string()
        })
    }

    pub fn variants(
        _: &Netlist,
        _: &Places,
        _: bool,
        _: bool,
        _: &Shared,
    ) -> Result<Vec<Self>, String> {
        Err(Self::possible().expect_err("it is never possible"))
    }

    pub fn clock(&mut self, _: &mut [u64], _: u64) -> bool {
        match *self {}
    }
}
