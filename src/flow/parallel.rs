//! Parallel work on several items.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Applies `work` to each item, with one thread per core. Items are started in order and results have the
/// same order. After a failure no further item is started, so there are fewer results, one of them an error.
pub fn each<T: Sync, R: Send, E: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R, E> + Sync,
) -> Vec<Result<R, E>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<BTreeMap<usize, Result<R, E>>> = Mutex::default();
    let worker = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(index) else { return };
            let result = work(item);
            if result.is_err() {
                next.store(items.len(), Ordering::Relaxed);
            }
            done.lock().unwrap_or_else(PoisonError::into_inner).insert(index, result);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(worker))));
    done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let work = |&n: &u64| {
            thread::sleep(Duration::from_millis(20 - n));
            Ok::<_, ()>(n * n)
        };
        let items: Vec<u64> = (0..20).collect();
        let squares: Vec<_> = items.iter().map(|n| Ok(n * n)).collect();
        assert_eq!(each(&items, work), squares);
        assert_eq!(each(&[], work), []);
    }

    #[test]
    fn nothing_is_begun_after_a_failure() {
        let items: Vec<u32> = (0..10_000).collect();
        let work = |&n: &u32| {
            thread::sleep(Duration::from_millis(1));
            if n == 3 { Err("the fourth") } else { Ok(n) }
        };
        let results = each(&items, work);
        assert!(results.len() < items.len() / 2, "{} were begun", results.len());
        assert_eq!(results[..4], [Ok(0), Ok(1), Ok(2), Err("the fourth")]);
        assert_eq!(results.into_iter().collect::<Result<Vec<_>, _>>(), Err("the fourth"));
    }
}
