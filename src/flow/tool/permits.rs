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
