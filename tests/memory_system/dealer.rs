//! A source of CTAs.

use warpsmith::gpu::memory::{CtaSource, NextCta};

/// Deals CTAs to the core that their number names, half of them when the others have begun.
#[derive(Debug, Default)]
pub struct Dealer {
    pub waiting: Vec<NextCta>,
    pub later: Vec<NextCta>,
    pub idle: Vec<(u32, u32)>,
    pub cores: u32,
    /// It never begins the second half.
    pub keeps: bool,
}

impl CtaSource for Dealer {
    fn begin(&mut self, ctas: &[u64], _: u32) {
        let all = (0..)
            .zip(ctas)
            .flat_map(|(launch, ctas)| (0..*ctas).map(move |number| NextCta { launch, number }));
        (self.waiting, self.later) = all.partition(|cta| cta.number % 2 == 0);
    }

    fn next(&mut self, core: u32, place: u32) -> Option<NextCta> {
        let is_of = |cta: &NextCta| cta.number as u32 % self.cores == core;
        let Some(at) = self.waiting.iter().position(is_of) else {
            self.idle.push((core, place));
            return None;
        };
        Some(self.waiting.remove(at))
    }

    fn wakes(&mut self) -> Option<(u32, u32)> {
        if self.waiting.is_empty() && !self.keeps {
            self.waiting = std::mem::take(&mut self.later);
        }
        let is_of = |(core, _): &(u32, u32)| {
            self.waiting.iter().any(|cta| cta.number as u32 % self.cores == *core)
        };
        let at = self.idle.iter().position(is_of)?;
        Some(self.idle.remove(at))
    }

    fn left(&self) -> u64 {
        (self.waiting.len() + self.later.len()) as u64
    }
}
