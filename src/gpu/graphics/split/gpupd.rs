//! GPUpd: primitives are projected by one GPU each, and drawn by those whose tiles they touch.

use super::machine::Machine;
use super::planted::Planted;
use crate::graphics::frame::Draw;

/// Triangles of a batch (table 6.2's threshold is as large; the number is that of the authors' simulator).
const BATCH: usize = 4096;
/// Bytes of a primitive on a link: three indices.
const SENT: u64 = 12;

/// Triangles that wait: draw, number in it, and group.
#[derive(Debug, Default)]
pub(super) struct Batch<'f>(Vec<Primitive<'f>>);

#[derive(Debug, Clone, Copy)]
struct Primitive<'f> {
    draw: &'f Draw,
    triangle: u32,
    group: u32,
}

/// Triangles that follow each other in the same draw.
fn runs<'a, 'f>(
    primitives: &'a [Primitive<'f>],
) -> impl Iterator<Item = (Primitive<'f>, impl Iterator<Item = u32> + 'a)> {
    let runs = primitives.chunk_by(|a, b| std::ptr::eq(a.draw, b.draw));
    runs.map(|run| (run[0], run.iter().map(|it| it.triangle)))
}

impl<'f> Machine<'f> {
    /// Takes the triangles of a draw into batches.
    pub(super) fn gather(&mut self, draw: &'f Draw) -> Result<(), String> {
        let group = self.report.groups.len() as u32;
        for triangle in 0..draw.triangles() {
            self.batch.0.push(Primitive { draw, triangle, group });
            if self.batch.0.len() == BATCH {
                self.flush()?;
            }
        }
        Ok(())
    }

    /// Projects, distributes and draws a batch.
    pub(super) fn flush(&mut self) -> Result<(), String> {
        let batch = std::mem::take(&mut self.batch.0);
        if batch.is_empty() {
            return Ok(());
        }
        let gpus = self.settings.gpus;
        let mut lists = vec![Vec::new(); gpus];
        let mut order: Vec<_> = (0..gpus).collect();
        if self.settings.planted == Some(Planted::PrimitivesByArrival) {
            order.reverse();
        }
        // Each sends in its turn, so that primitives arrive in their order.
        for src in order {
            let share = &batch[src * batch.len() / gpus..(src + 1) * batch.len() / gpus];
            self.report.primitives_stored += share.len() as u64;
            let destinations = self.project(src, share)?;
            for (triangle, destinations) in share.iter().zip(destinations) {
                for dst in (0..gpus).filter(|dst| destinations >> dst & 1 != 0) {
                    self.report.bytes.primitives += if dst == src { 0 } else { SENT };
                    lists[dst].push(*triangle);
                }
            }
        }
        for (gpu, list) in lists.iter().enumerate() {
            for (Primitive { draw, group, .. }, triangles) in runs(list) {
                self.begin_history(group);
                self.draw(gpu, draw, Some(gpu), triangles)?;
            }
        }
        self.told(batch.len() as u64);
        // Which draws of a batch write depth is not looked at.
        self.written(true);
        Ok(())
    }

    /// The GPUs whose tiles each triangle touches, a bit each.
    fn project(&mut self, gpu: usize, share: &[Primitive<'_>]) -> Result<Vec<u64>, String> {
        let mut found = Vec::new();
        let counts = &mut self.report.projection[gpu];
        for (Primitive { draw, .. }, triangles) in runs(share) {
            let gpu = &mut self.gpus[gpu];
            found.extend(gpu.project(self.frame, draw, &mut self.cores, counts, triangles)?);
        }
        Ok(found)
    }
}
