//! How many tools run at the same time.

use std::num::NonZeroUsize;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;

struct Count {
    running: usize,
    most: usize,
}

static COUNT: LazyLock<Mutex<Count>> = LazyLock::new(|| {
    let most = thread::available_parallelism().map_or(1, usize::from);
    Mutex::new(Count { running: 0, most })
});
static CHANGED: Condvar = Condvar::new();

/// Lets so many tools run at the same time, whoever starts them. Unless told, as many as there are
/// cores.
pub fn limit_runs(most: NonZeroUsize) {
    count().most = most.get();
    CHANGED.notify_all();
}

/// Leave to run one tool, given back when this is dropped.
pub(super) struct Permit(());

impl Permit {
    /// Waits until there is one.
    pub fn wait() -> Self {
        let full = |count: &mut Count| count.running >= count.most;
        let mut count = CHANGED.wait_while(count(), full).unwrap_or_else(PoisonError::into_inner);
        count.running += 1;
        Self(())
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        count().running -= 1;
        CHANGED.notify_one();
    }
}

fn count() -> MutexGuard<'static, Count> {
    COUNT.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_run_at_once_than_allowed() {
        let most = NonZeroUsize::new(2).unwrap();
        limit_runs(most);
        let (running, worst) = (Mutex::new(0), Mutex::new(0));
        let work = || {
            let _permit = Permit::wait();
            *running.lock().unwrap() += 1;
            thread::sleep(std::time::Duration::from_millis(20));
            let mut worst = worst.lock().unwrap();
            *worst = (*worst).max(*running.lock().unwrap());
            *running.lock().unwrap() -= 1;
        };
        thread::scope(|scope| (0..6).for_each(|_| drop(scope.spawn(work))));
        assert_eq!(*worst.lock().unwrap(), 2);
    }
}
