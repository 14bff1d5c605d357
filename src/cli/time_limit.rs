//! A limit on the time that a command takes.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::{UserError, WRONG_INPUT, tell};

/// Ends the process with exit code 2 at the time limit and reports the current step. A model is code in this
/// process, which nothing else can interrupt.
pub(super) struct TimeLimit {
    doing: Arc<Mutex<&'static str>>,
    requests: Arc<AtomicU64>,
}

impl TimeLimit {
    /// A limit that starts now, or none.
    pub fn new(seconds: Option<u64>, json: bool) -> Self {
        let limit = Self {
            doing: Arc::new(Mutex::new("reading the Verilog")),
            requests: Arc::new(AtomicU64::new(0)),
        };
        if let Some(seconds) = seconds {
            let (doing, requests) = (Arc::clone(&limit.doing), Arc::clone(&limit.requests));
            thread::spawn(move || {
                thread::sleep(Duration::from_secs(seconds));
                let doing = doing.lock().unwrap_or_else(PoisonError::into_inner);
                let after = match requests.load(Ordering::Relaxed) {
                    0 => String::new(),
                    n => format!(" after {n} requests"),
                };
                let message = format!("--time-limit {seconds}: stopped while {doing}{after}");
                tell(&UserError::new(message), json);
                process::exit(WRONG_INPUT.into());
            });
        }
        limit
    }

    /// Sets the current step.
    pub fn doing(&self, what: &'static str) {
        *self.doing.lock().unwrap_or_else(PoisonError::into_inner) = what;
    }

    /// Sets the number of requests run so far.
    pub fn ran(&self, requests: u64) {
        self.requests.store(requests, Ordering::Relaxed);
    }
}
