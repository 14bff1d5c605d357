//! Where the threads of a test run.

use std::fmt;

use super::Test;
use crate::gpu::config::MachineConfig;
use crate::gpu::isa::Scope;

/// How far the threads are from each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Warps of one CTA.
    SameCta,
    /// CTAs of one GPM.
    OtherCta,
    /// GPMs of one GPU.
    OtherGpm,
    /// GPUs.
    OtherGpu,
}

/// A test with scope and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variant {
    /// What `$` stands for.
    pub scope: Scope,
    /// Where the threads are.
    pub place: Place,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.place {
            Place::SameCta => "same CTA",
            Place::OtherCta => "other CTA",
            Place::OtherGpm => "other GPM",
            Place::OtherGpu => "other GPU",
        };
        write!(f, ".{}, {place}", scope_name(self.scope))
    }
}

/// A scope in PTX.
pub(super) fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Cta => "cta",
        Scope::Gpu => "gpu",
        Scope::Sys => "sys",
    }
}

impl Test {
    /// The scopes and places in which the threads are within the scope, as far as a machine has
    /// them. A test without scopes is run in all places.
    pub fn variants(&self, machine: &MachineConfig) -> Vec<Variant> {
        let scopes = match self.is_scoped {
            true => &[Scope::Cta, Scope::Gpu, Scope::Sys][..],
            false => &[Scope::Sys],
        };
        let places = [
            (Place::SameCta, Scope::Cta, true),
            (Place::OtherCta, Scope::Gpu, true),
            (Place::OtherGpm, Scope::Gpu, machine.gpms_per_gpu > 1),
            (Place::OtherGpu, Scope::Sys, machine.gpus > 1),
        ];
        let within = |scope| places.iter().filter(move |it| it.1 <= scope && it.2);
        let variant = |scope| within(scope).map(move |it| Variant { scope, place: it.0 });
        scopes.iter().flat_map(|scope| variant(*scope)).collect()
    }
}

impl Place {
    /// The CTA and the warp of a thread; `base` shifts all.
    pub(super) fn of(
        self,
        thread: u32,
        threads: u32,
        base: u32,
        machine: &MachineConfig,
    ) -> [u32; 2] {
        let (gpms, gpus) = (machine.gpms_per_gpu, machine.gpus);
        let gpm = |gpu: u32, gpm: u32| (gpu % gpus) * gpms + gpm % gpms;
        let own = gpm(base / gpms, base);
        let cta = |gpm: u32| gpm * threads + thread;
        match self {
            Self::SameCta => [own * threads, thread],
            Self::OtherCta => [cta(own), 0],
            Self::OtherGpm => [cta(gpm(base / gpms, base + thread)), 0],
            Self::OtherGpu => [cta(gpm(base / gpms + thread, base + thread / gpus)), 0],
        }
    }
}
