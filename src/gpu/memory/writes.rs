//! Writes that wait, in two generations: who waits for them waits for those that were there when it came, however
//! many come after.

/// Writes that wait, and who waits for them.
#[derive(Debug)]
pub struct Writes<T> {
    waiting: [u32; 2],
    /// The current generation.
    now: bool,
    /// Those that wait for the other generation, and those that wait for the current one.
    waiters: [Vec<T>; 2],
}

impl<T> Default for Writes<T> {
    fn default() -> Self {
        Self { waiting: [0; 2], now: false, waiters: [Vec::new(), Vec::new()] }
    }
}

impl<T> Writes<T> {
    /// A write waits, for the first time or again; returns its generation.
    pub fn begin(&mut self, generation: Option<bool>) -> Option<bool> {
        let generation = generation.unwrap_or(self.now);
        self.waiting[usize::from(generation)] += 1;
        Some(generation)
    }

    /// Somebody waits for the writes that wait now; gives him back if there are none.
    pub fn wait(&mut self, waiter: T) -> Option<T> {
        if self.waiting == [0; 2] {
            return Some(waiter);
        }
        let other = usize::from(!self.now);
        if self.waiting[other] == 0 && self.waiters[other].is_empty() {
            // The current generation becomes the one that is waited for.
            self.now = !self.now;
            self.waiters[usize::from(!self.now)].push(waiter);
        } else {
            self.waiters[usize::from(self.now)].push(waiter);
        }
        None
    }

    /// A write no longer waits; gives those who go on.
    pub fn end(&mut self, generation: Option<bool>) -> Vec<T> {
        let mut ready = Vec::new();
        let Some(generation) = generation else { return ready };
        self.waiting[usize::from(generation)] -= 1;
        while self.waiting[usize::from(!self.now)] == 0 {
            let some = std::mem::take(&mut self.waiters[usize::from(!self.now)]);
            if some.is_empty() && self.waiters[usize::from(self.now)].is_empty() {
                break;
            }
            self.now = !self.now;
            ready.extend(some);
        }
        ready
    }
}
