//! Digests of memory, and of registers at exit.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::launch::Work;
use crate::memory::Device;
use crate::simt::Warp;

/// SHA-256 of the registers of warps that have exited, by launch, CTA and warp.
#[derive(Debug, Default)]
pub(super) struct Digests(BTreeMap<(u32, u64, u32), Vec<u8>>);

impl Digests {
    /// An empty one, if a launch asks for it.
    pub(super) fn of(work: &[Work]) -> Option<Self> {
        work.iter().any(|work| work.launch.digest).then(Self::default)
    }

    /// A warp has exited.
    pub(super) fn exits(&mut self, warp: &Warp) {
        let mut hash = Sha256::new();
        warp.for_each_register(|bytes| hash.update(bytes));
        let identity = &warp.identity;
        let at = (identity.launch, identity.cta_number(), identity.warp);
        self.0.insert(at, hash.finalize().to_vec());
    }

    /// The digest of all, in hexadecimal.
    pub(super) fn all(self) -> String {
        let mut hash = Sha256::new();
        self.0.values().for_each(|digest| hash.update(digest));
        hex(&hash.finalize())
    }
}

/// SHA-256 of the contents of memory, in hexadecimal.
pub fn of_memory(device: &Device) -> String {
    hex(&Sha256::digest(device.bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
