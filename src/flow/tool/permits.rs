//! Limits how many tools run at the same time.

use std::num::NonZeroUsize;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Sets how many tools may run in parallel. The default is the number of cores.
pub fn limit_runs(most: NonZeroUsize) {
    RUNS.limit(most.get());
}

/// Waits for a permit to run one tool.
pub(super) fn wait() -> Permit<'static> {
    RUNS.wait()
}

static RUNS: LazyLock<Permits> =
    LazyLock::new(|| Permits::new(thread::available_parallelism().map_or(1, usize::from)));

struct Permits {
    count: Mutex<Count>,
    changed: Condvar,
}

struct Count {
    running: usize,
    most: usize,
}

/// Permission to run one tool, returned on drop.
pub(super) struct Permit<'a>(&'a Permits);

impl Permits {
    fn new(most: usize) -> Self {
        Self { count: Mutex::new(Count { running: 0, most }), changed: Condvar::new() }
    }

    fn limit(&self, most: usize) {
        self.count().most = most;
        self.changed.notify_all();
    }

    fn wait(&self) -> Permit<'_> {
        let full = |count: &mut Count| count.running >= count.most;
        let count = self.changed.wait_while(self.count(), full);
        count.unwrap_or_else(PoisonError::into_inner).running += 1;
        Permit(self)
    }

    fn count(&self) -> MutexGuard<'_, Count> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.count().running -= 1;
        self.0.changed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn as_many_run_at_once_as_allowed_and_no_more() {
        let permits = Permits::new(1);
        permits.limit(2);
        let (running, worst) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let end = Instant::now() + Duration::from_secs(10);
        let work = || {
            let _permit = permits.wait();
            worst.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // The second one starts eventually, however busy the machine is; a third must not.
            while worst.load(Ordering::SeqCst) < 2 && Instant::now() < end {
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_millis(20));
            running.fetch_sub(1, Ordering::SeqCst);
        };
        thread::scope(|scope| (0..6).for_each(|_| drop(scope.spawn(work))));
        assert_eq!(worst.into_inner(), 2);
    }
}
