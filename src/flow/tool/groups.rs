//! Process groups: a tool and its children are ended together.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex, MutexGuard, Once};

use rustix::process::{Pid, Signal, kill_process_group};

/// The running groups, for an interrupt to end.
static RUNNING: LazyLock<Mutex<BTreeSet<i32>>> = LazyLock::new(Mutex::default);

/// A child in its own process group, which is killed on drop.
pub(super) struct Group {
    child: Child,
}

impl Group {
    pub fn spawn(command: &mut Command) -> io::Result<Self> {
        end_all_on_interrupt();
        // Held while the child starts, so that an interrupt cannot come between start and registration.
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
        // It was killed, so this returns soon.
        let _ = self.child.wait();
        running().remove(&id);
    }
}

fn running() -> MutexGuard<'static, BTreeSet<i32>> {
    RUNNING.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn kill(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // The group may have no process left.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// A separate group does not get the terminal's interrupt, so it is passed on.
fn end_all_on_interrupt() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let handler = || {
            running().iter().for_each(|group| kill(*group));
            std::process::exit(130);
        };
        // A program that uses this library may have its own handler, which is kept.
        let _ = ctrlc::try_set_handler(handler);
    });
}
