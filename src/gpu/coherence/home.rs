//! Where lines are at home: pages by first touch, and within a GPU by address.

use super::system::{Routing, System};
use crate::gpu::config::{Config, LINE};
use crate::gpu::isa::Scope;

/// A page that nobody has touched.
const UNTOUCHED: u8 = u8::MAX;

/// GPMs and the GPUs they belong to. A GPM is named by its number in the machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Topology {
    pub(crate) gpms_per_gpu: u32,
    pub(crate) gpms: u32,
    pub(crate) cores_per_gpm: u32,
}

impl Topology {
    pub(crate) fn gpu(self, gpm: u32) -> u32 {
        gpm / self.gpms_per_gpu
    }

    pub(crate) fn gpm_of_core(self, core: u32) -> u32 {
        core / self.cores_per_gpm
    }

    /// The GPMs of the GPU of a GPM.
    pub(crate) fn same_gpu(self, gpm: u32) -> std::ops::Range<u32> {
        let first = self.gpu(gpm) * self.gpms_per_gpu;
        first..first + self.gpms_per_gpu
    }
}

/// The homes of all lines.
#[derive(Debug)]
pub(crate) struct Homes {
    pub(crate) topology: Topology,
    system: System,
    /// For each page the GPM that touched it first.
    pages: Vec<u8>,
    lines_per_page: u32,
    lines_per_block: u32,
}

impl Homes {
    pub(crate) fn new(config: &Config, system: System) -> Self {
        let machine = &config.machine;
        Self {
            topology: Topology {
                gpms_per_gpu: machine.gpms_per_gpu,
                gpms: machine.gpms(),
                cores_per_gpm: machine.cores_per_gpm,
            },
            system,
            pages: Vec::new(),
            lines_per_page: machine.page_bytes / LINE as u32,
            lines_per_block: config.directory.lines_per_entry,
        }
    }

    /// A GPM touches a line; its page stays with the first that does.
    #[inline]
    pub(crate) fn touch(&mut self, gpm: u32, line: u32) {
        let page = (line / self.lines_per_page) as usize;
        if page >= self.pages.len() {
            self.pages.resize(page + 1, UNTOUCHED);
        }
        if self.pages[page] == UNTOUCHED {
            self.pages[page] = gpm as u8;
        }
    }

    /// The home of a line in the machine.
    #[inline]
    pub(crate) fn home(&self, line: u32) -> u32 {
        let page = (line / self.lines_per_page) as usize;
        self.pages.get(page).map_or(0, |gpm| u32::from(*gpm))
    }

    /// The home of a line within the GPU of a GPM: that of the machine if it is in this GPU, else
    /// one by the number of the block, so that a directory entry has one home.
    #[inline]
    pub(crate) fn gpu_home(&self, gpm: u32, line: u32) -> u32 {
        let home = self.home(line);
        let topology = self.topology;
        if topology.gpu(home) == topology.gpu(gpm) {
            return home;
        }
        topology.same_gpu(gpm).start + line / self.lines_per_block % topology.gpms_per_gpu
    }

    /// Where a GPM sends a request that it does not answer; none if it is the home.
    #[inline]
    pub(crate) fn next(&self, gpm: u32, line: u32) -> Option<u32> {
        let home = self.home(line);
        if home == gpm {
            return None;
        }
        if self.system.routing() == Routing::ByGpuHome {
            let gpu_home = self.gpu_home(gpm, line);
            if gpu_home != gpm {
                return Some(gpu_home);
            }
        }
        Some(home)
    }

    /// Whether requests of a scope are answered by this GPM: it is the home for the scope (V-B).
    /// With one level of homes there is no other than that of the machine (IV-B).
    #[inline]
    pub(crate) fn is_home(&self, gpm: u32, line: u32, scope: Scope) -> bool {
        match (self.system.routing(), scope) {
            (Routing::Direct, _) | (_, Scope::Sys) => self.home(line) == gpm,
            (Routing::ByGpuHome, _) => self.gpu_home(gpm, line) == gpm,
        }
    }

    /// Whether the L2 of a GPM keeps a line.
    #[inline]
    pub(crate) fn keeps(&self, gpm: u32, line: u32) -> bool {
        self.system.keeps_lines_of_other_gpus()
            || self.topology.gpu(self.home(line)) == self.topology.gpu(gpm)
    }

    /// The first line of a line's block.
    pub(crate) fn block(&self, line: u32) -> std::ops::Range<u32> {
        let first = line - line % self.lines_per_block;
        first..first + self.lines_per_block
    }
}
