//! Vector clocks.

use std::collections::HashMap;
use std::rc::Rc;

/// A vector clock: the time of each thread of a grid, 0 where it is not known. Copies share what they have in common.
#[derive(Debug, Clone, Default)]
pub(super) struct Clock(Rc<HashMap<u32, Rc<Vec<u32>>>>);

impl Clock {
    /// True if a thread, numbered in its CTA, is known to have reached the time.
    pub(super) fn knows(&self, cta: u32, thread: u32, time: u32) -> bool {
        let times = self.0.get(&cta);
        times.and_then(|times| times.get(thread as usize)).is_some_and(|known| *known >= time)
    }

    /// True if no time of the other is later.
    pub(super) fn has(&self, other: &Self) -> bool {
        let is_known = |(cta, theirs): (&u32, &Rc<Vec<u32>>)| {
            self.0.get(cta).is_some_and(|own| {
                let later = |(thread, time): (usize, &u32)| own.get(thread).unwrap_or(&0) >= time;
                Rc::ptr_eq(own, theirs) || theirs.iter().enumerate().all(later)
            })
        };
        Rc::ptr_eq(&self.0, &other.0) || other.0.iter().all(is_known)
    }

    /// Threads that follow one another have come so far.
    pub(super) fn set(&mut self, cta: u32, first: u32, times: impl Iterator<Item = u32>) {
        let threads = Rc::make_mut(Rc::make_mut(&mut self.0).entry(cta).or_default());
        for (thread, time) in (first as usize..).zip(times) {
            if threads.len() <= thread {
                threads.resize(thread + 1, 0);
            }
            threads[thread] = threads[thread].max(time);
        }
    }

    /// True if no thread's time is known.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
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
