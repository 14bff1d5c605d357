//! What is watched while GPUs draw: progress, and who wrote which pixel.

use super::Wishes;
use super::machine::Machine;
use crate::graphics::frame::{Command, Frame};
use crate::graphics::gpu::Gpu;
use crate::graphics::history::{History, Source};
use crate::graphics::view::{Traces, View};

/// A GPU, which keeps the picture's history if that is wanted.
pub(super) fn gpu(frame: &Frame, number: usize, wishes: Wishes<'_>) -> Gpu {
    let mut gpu = Gpu::new(frame);
    let watched = wishes.view.is_some_and(|view| view != View::Depth);
    let pixels = gpu.targets[frame.picture].len();
    gpu.history = watched.then(|| Box::new(History::new(number, pixels)));
    gpu
}

impl Machine<'_> {
    /// So many triangles were drawn for all GPUs.
    pub(super) fn told(&self, triangles: u64) {
        (self.wishes.tell)(triangles * self.settings.gpus as u64);
    }

    /// What is drawn from now on belongs to a group, by its number from 1.
    pub(super) fn begin_history(&mut self, group: u32) {
        let histories = self.gpus.iter_mut().filter_map(|gpu| gpu.rop.as_mut()?.1.history.as_mut());
        histories.for_each(|history| history.now.group = group);
    }

    /// What views are made of, when nothing is attached any more.
    pub(super) fn traces(&self) -> Traces {
        let number = self.frame.picture;
        let tiles = self.copies[number].tiles;
        let pixels = self.gpus[0].targets[number].len();
        let depth = self.depth_of_picture();
        let mut traces = Traces {
            width: tiles.width,
            height: tiles.height,
            written: vec![0; pixels],
            last: vec![Source::default(); pixels],
            owners: vec![0; pixels],
            depth: depth.map(|_| vec![0; pixels]),
        };
        for history in self.gpus.iter().filter_map(|gpu| gpu.history.as_ref()) {
            let sums = traces.written.iter_mut().zip(&history.written);
            sums.for_each(|(sum, written)| *sum += written);
        }
        for block in 0..tiles.blocks() {
            let owner = tiles.owner_of_block(block);
            let gpu = &self.gpus[owner];
            for at in tiles.pixels(block) {
                traces.owners[at] = owner;
                traces.last[at] = gpu.history.as_ref().map_or(traces.last[at], |it| it.last[at]);
                if let (Some(to), Some(depth)) = (&mut traces.depth, depth) {
                    to[at] = gpu.targets[depth][at] >> 8;
                }
            }
        }
        traces
    }

    /// The depth buffer with which the picture was drawn last.
    fn depth_of_picture(&self) -> Option<usize> {
        let of_picture = |command: &Command| match *command {
            Command::Target { color, depth } if color == self.frame.picture => Some(depth),
            _ => None,
        };
        self.frame.commands.iter().rev().find_map(of_picture).flatten()
    }
}
