//! Which of two pixels of opaque sub-images stays (6.4.1; draw numbers are not in the thesis).

use crate::graphics::depth::Function;

/// Which of two pixels stays.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The depth test's.
    pub function: Function,
    /// Depth is written.
    pub writes_depth: bool,
    /// Nothing but the order of arrival settles a tie.
    pub by_arrival: bool,
}

impl Rule {
    /// The arriving pixel replaces the stored one; each is its depth and the number of its draw.
    pub fn replaces(&self, [new, number]: [u32; 2], [old, other]: [u32; 2]) -> bool {
        // Of the depths that passed, those of the last draw stay, unless a depth is nearer.
        let is_later = self.by_arrival || number > other;
        if !self.writes_depth {
            return is_later;
        }
        match self.function {
            Function::Less if self.by_arrival => new < old,
            Function::Greater if self.by_arrival => new > old,
            Function::Less => new < old || new == old && number < other,
            Function::Lequal => new < old || new == old && is_later,
            Function::Greater => new > old || new == old && number < other,
            Function::Gequal => new > old || new == old && is_later,
            _ => is_later,
        }
    }
}
