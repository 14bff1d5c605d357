//! Homes of lines: pages by first touch, and within a GPU by address.

use super::LINE;
use crate::config::Config;

/// A page without a home.
const UNTOUCHED: u8 = u8::MAX;

/// GPMs and the GPUs they belong to. A GPM is named by its number in the machine.
#[derive(Debug, Clone, Copy)]
pub struct Topology {
    /// GPMs of a GPU.
    pub gpms_per_gpu: u32,
    /// GPMs of the machine.
    pub gpms: u32,
    /// Cores of a GPM.
    pub cores_per_gpm: u32,
}

impl Topology {
    /// The GPU of a GPM.
    pub fn gpu(self, gpm: u32) -> u32 {
        gpm / self.gpms_per_gpu
    }

    /// The GPM of a core.
    pub fn gpm_of_core(self, core: u32) -> u32 {
        core / self.cores_per_gpm
    }

    /// The GPMs of the GPU of a GPM.
    pub fn same_gpu(self, gpm: u32) -> std::ops::Range<u32> {
        let first = self.gpu(gpm) * self.gpms_per_gpu;
        first..first + self.gpms_per_gpu
    }
}

/// The homes of all lines.
#[derive(Debug)]
pub struct Homes {
    /// GPMs and GPUs.
    pub topology: Topology,
    /// For each page the GPM that touched it first.
    pages: Vec<u8>,
    lines_per_page: u32,
    lines_per_block: u32,
}

impl Homes {
    /// The homes of a machine whose pages are untouched.
    pub fn new(config: &Config) -> Self {
        let machine = &config.machine;
        Self {
            topology: Topology {
                gpms_per_gpu: machine.gpms_per_gpu,
                gpms: machine.gpms(),
                cores_per_gpm: machine.cores_per_gpm,
            },
            pages: Vec::new(),
            lines_per_page: machine.page_bytes / LINE as u32,
            lines_per_block: config.directory.lines_per_entry,
        }
    }

    /// A GPM touches a line; its page stays with the first that does.
    #[inline]
    pub fn touch(&mut self, gpm: u32, line: u32) {
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
    pub fn home(&self, line: u32) -> u32 {
        let page = (line / self.lines_per_page) as usize;
        self.pages.get(page).map_or(0, |gpm| u32::from(*gpm))
    }

    /// The home of a line within the GPU of a GPM: that of the machine if it is in this GPU, else
    /// one by the number of the block, so that a directory entry has one home.
    #[inline]
    pub fn gpu_home(&self, gpm: u32, line: u32) -> u32 {
        let home = self.home(line);
        let topology = self.topology;
        if topology.gpu(home) == topology.gpu(gpm) {
            return home;
        }
        topology.same_gpu(gpm).start + line / self.lines_per_block % topology.gpms_per_gpu
    }

    /// The lines of a line's block, which has one directory entry.
    pub fn block(&self, line: u32) -> std::ops::Range<u32> {
        let first = line - line % self.lines_per_block;
        first..first + self.lines_per_block
    }
}
