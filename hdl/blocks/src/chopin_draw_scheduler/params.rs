//! Parameters of the draw scheduler, and what follows from them.

use crate::kit::*;

parameters! {
    /// Parameters of the draw scheduler.
    pub struct Params {
        gpus: u32, "GPUs that draws are distributed to", range(2, 64);
        triangle_bits: u32, "bits of the triangles of a draw, and of a report", range(1, 32);
        remaining_bits: u32, "bits of the triangles that remain of a GPU",
            range(of("those of 2 (report_latency + 2) largest draws", Self::least_remaining_bits), 48);
        counter_bits: u32, "bits of the totals scheduled and processed, which wrap around",
            range(of("remaining_bits", |p: &Self| p.remaining_bits), 64);
        segment_bits: u32, "bits of a total that are added in one clock",
            range(of("triangle_bits", |p: &Self| p.triangle_bits), 64);
        report_latency: u32, "clocks until a report counts, and until a draw is decided", range(3, 8);
    }
}

impl Params {
    /// Draws that are accepted and whose grants are not taken, at most: as many as a draw each clock needs.
    pub(super) fn draws_in_flight(&self) -> u32 {
        self.report_latency + 2
    }

    /// The triangles of the largest draw, and of the largest report.
    pub(super) fn largest_draw(&self) -> u64 {
        (1 << self.triangle_bits) - 1
    }

    /// As long as some GPU has fewer triangles remaining, draws are accepted.
    pub(super) fn many(&self) -> u64 {
        1 << (self.remaining_bits - 1)
    }

    /// Draws in flight fit above [`Params::many`].
    fn least_remaining_bits(&self) -> u32 {
        let most = u64::from(self.draws_in_flight()) * self.largest_draw();
        1 + u64::BITS - (most - 1).leading_zeros()
    }

    /// Segments of a total.
    pub(super) fn segments(&self) -> u32 {
        self.counter_bits.div_ceil(self.segment_bits)
    }

    /// Bits of a total, from 0 up, in that segment.
    pub(super) fn segment(&self, number: u32) -> std::ops::Range<u32> {
        let from = number * self.segment_bits;
        from..(from + self.segment_bits).min(self.counter_bits)
    }

    /// Bits of a GPU's number.
    pub(super) fn gpu_bits(&self) -> u32 {
        address_bits(self.gpus)
    }

    /// A total, as many bits as are kept.
    pub(super) fn wrapped(&self, total: u64) -> u64 {
        total & u64::MAX >> (64 - self.counter_bits)
    }
}

impl Parameters for Params {
    fn presets() -> Vec<(&'static str, Self)> {
        let paper = Params {
            // Table 6.2.
            gpus: 8,
            // Assumed: more than the triangles of any frame of table 6.3.
            triangle_bits: 20,
            remaining_bits: 24,
            // 6.6.4.
            counter_bits: 64,
            // Ours: what an adder does in a clock of 1 GHz, and a clock for the wires from the GPUs.
            segment_bits: 32,
            report_latency: 4,
        };
        let fpga = Params {
            triangle_bits: 16,
            remaining_bits: 20,
            counter_bits: 32,
            segment_bits: 16,
            report_latency: 3,
            ..paper.clone()
        };
        let tiny = Params {
            gpus: 3,
            triangle_bits: 2,
            remaining_bits: 5,
            counter_bits: 5,
            segment_bits: 3,
            report_latency: 3,
        };
        vec![("tiny", tiny), ("fpga", fpga), ("paper", paper)]
    }
}
