//! Process groups: a tool and all that it starts, which end together.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex, MutexGuard, Once};

use rustix::process::{Pid, Signal, kill_process_group};

/// The groups that are running, for an interrupt to end.
static RUNNING: LazyLock<Mutex<BTreeSet<i32>>> = LazyLock::new(Mutex::default);

/// A child with a process group of its own, killed when this is dropped.
pub(super) struct Group {
    child: Child,
}

impl Group {
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        end_all_on_interrupt();
        // Held while the child starts, so that no interrupt comes between its start and its entry.
        let mut running = running();
        let child = command.process_group(0).spawn()?;
        running.insert(child.id() as i32);
        Ok(Self { child })
    }

    pub fn leader(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let id = self.child.id() as i32;
        kill(id);
        // Killed: this cannot take long.
        let _ = self.child.wait();
        running().remove(&id);
    }
}

fn running() -> MutexGuard<'static, BTreeSet<i32>> {
    RUNNING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn kill(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // There may be no process left in it.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// A group of its own does not get the terminal's interrupt: it is passed on.
fn end_all_on_interrupt() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler = || {
            running().iter().for_each(|group| kill(*group));
            std::process::exit(130);
        };
        // A program around this library may have a handler of its own, which then stays.
        let _ = ctrlc::try_set_handler(handler);
    });
}
