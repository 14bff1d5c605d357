//! Vector clocks of warps.

use std::collections::HashMap;
use std::rc::Rc;

/// How far each warp of a grid has come as far as somebody knows: none, where it is not known. Copies share what
/// they have in common.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock(Rc<HashMap<u32, Rc<Vec<u32>>>>);

impl Clock {
    /// Whether it knows that a warp has come so far.
    pub(super) fn knows(&self, cta: u32, warp: u32, time: u32) -> bool {
        self.time(cta, warp) >= time
    }

    /// How far a warp has come.
    pub(super) fn time(&self, cta: u32, warp: u32) -> u32 {
        self.0.get(&cta).and_then(|warps| warps.get(warp as usize).copied()).unwrap_or(0)
    }

    /// A warp goes on.
    pub(super) fn advance(&mut self, cta: u32, warp: u32) {
        let warps = Rc::make_mut(Rc::make_mut(&mut self.0).entry(cta).or_default());
        if warps.len() <= warp as usize {
            warps.resize(warp as usize + 1, 0);
        }
        warps[warp as usize] += 1;
    }

    /// Learns what another one knows.
    pub(super) fn join(&mut self, other: &Self) {
        if Rc::ptr_eq(&self.0, &other.0) || other.0.is_empty() {
            return;
        }
        if self.0.is_empty() {
            self.0 = Rc::clone(&other.0);
            return;
        }
        let ctas = Rc::make_mut(&mut self.0);
        for (cta, theirs) in &*other.0 {
            let own = ctas.entry(*cta).or_insert_with(|| Rc::clone(theirs));
            if Rc::ptr_eq(own, theirs) {
                continue;
            }
            let own = Rc::make_mut(own);
            own.resize(own.len().max(theirs.len()), 0);
            own.iter_mut().zip(&**theirs).for_each(|(own, theirs)| *own = (*own).max(*theirs));
        }
    }
}
