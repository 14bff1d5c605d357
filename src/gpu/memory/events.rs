//! The event queue. Clocks without events cost nothing.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A receiver of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit(u8);

impl Unit {
    /// Requesters of the memory system: cores and CPUs, or a tester.
    pub const FRONT: Self = Self(0);
    /// DRAM.
    pub const DRAM: Self = Self(1);
    /// The memory system.
    pub const SYSTEM: Self = Self(2);

    /// Another unit of the memory system: it gets the unit's events, too, and hands them on.
    pub const fn of_system(number: u8) -> Self {
        Self(3 + number)
    }
}

/// An event: its receiver, and its meaning there. See [`events!`](crate::events!).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// The receiver.
    pub unit: Unit,
    /// Which of the receiver's events.
    pub kind: u8,
    /// Its numbers.
    pub numbers: [u32; 2],
}

/// Declares the events of a unit as an enum, each with one number or two, and turns them into an [`Event`] and back.
#[macro_export]
macro_rules! events {
    (@number $field:ident) => { u32 };
    (
        $(#[$meta:meta])* $vis:vis enum $name:ident of $unit:expr;
        $($(#[$doc:meta])* $variant:ident($($field:ident),+)),+ $(,)?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        $vis enum $name {
            $($(#[$doc])* $variant($($crate::events!(@number $field)),+)),+
        }

        const _: () = {
            #[repr(u8)]
            enum Kind { $($variant),+ }

            impl From<$name> for $crate::memory::Event {
                #[inline]
                fn from(event: $name) -> Self {
                    let (kind, given): (_, &[u32]) = match event {
                        $($name::$variant($($field),+) => (Kind::$variant as u8, &[$($field),+])),+
                    };
                    let numbers = [given[0], given.get(1).copied().unwrap_or(0)];
                    Self { unit: $unit, kind, numbers }
                }
            }

            impl From<$crate::memory::Event> for $name {
                #[inline]
                fn from(event: $crate::memory::Event) -> Self {
                    let mut numbers = event.numbers.into_iter();
                    $(
                        if event.kind == Kind::$variant as u8 {
                            $(let $field = numbers.next().unwrap_or(0);)+
                            return $name::$variant($($field),+);
                        }
                    )+
                    unreachable!("an event of another unit")
                }
            }
        };
    };
}

/// Clocks that the wheel reaches ahead.
const SLOTS: usize = 4096;

/// Events by time. Events of one clock come in the order in which they were made.
#[derive(Debug)]
pub struct Events<E> {
    now: u64,
    /// Events of a clock in `now..now + SLOTS`, at its remainder.
    wheel: Vec<Vec<E>>,
    /// One bit for each slot that is not empty.
    occupied: [u64; SLOTS / 64],
    /// How much of the slot of `now` has been taken.
    taken: usize,
    /// Events beyond the wheel, with their number.
    far: BinaryHeap<Reverse<(u64, u64, E)>>,
    made: u64,
}

impl<E: Copy + Ord> Events<E> {
    pub(super) fn new() -> Self {
        Self {
            now: 0,
            wheel: (0..SLOTS).map(|_| Vec::new()).collect(),
            occupied: [0; SLOTS / 64],
            taken: 0,
            far: BinaryHeap::new(),
            made: 0,
        }
    }

    /// The clock of the event taken last.
    #[inline]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// An event at a clock, which is not over.
    #[inline]
    pub fn at(&mut self, time: u64, event: impl Into<E>) {
        let (time, event) = (time.max(self.now), event.into());
        if time - self.now < SLOTS as u64 {
            let slot = time as usize % SLOTS;
            self.wheel[slot].push(event);
            self.occupied[slot / 64] |= 1 << (slot % 64);
        } else {
            self.made += 1;
            self.far.push(Reverse((time, self.made, event)));
        }
    }

    /// The next event; none when nothing is to happen.
    #[inline]
    pub fn pop(&mut self) -> Option<E> {
        let slot = self.now as usize % SLOTS;
        if let Some(event) = self.wheel[slot].get(self.taken) {
            self.taken += 1;
            return Some(*event);
        }
        self.advance()
    }

    fn advance(&mut self) -> Option<E> {
        let slot = self.now as usize % SLOTS;
        self.wheel[slot].clear();
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        self.taken = 0;
        let near = self.nearest();
        let far = self.far.peek().map(|Reverse((time, ..))| *time);
        self.now = near.into_iter().chain(far).min()?;
        // Those that the wheel reaches now were made before any that it gets from now on.
        while let Some(Reverse((time, ..))) = self.far.peek()
            && *time - self.now < SLOTS as u64
        {
            let Some(Reverse((time, _, event))) = self.far.pop() else { break };
            let slot = time as usize % SLOTS;
            self.wheel[slot].push(event);
            self.occupied[slot / 64] |= 1 << (slot % 64);
        }
        self.taken = 1;
        self.wheel[self.now as usize % SLOTS].first().copied()
    }

    /// The first clock after this one with events in the wheel.
    fn nearest(&self) -> Option<u64> {
        let start = (self.now as usize + 1) % SLOTS;
        let words = self.occupied.len();
        for step in 0..=words {
            let word = (start / 64 + step) % words;
            let mut bits = self.occupied[word];
            if step == 0 {
                bits &= u64::MAX << (start % 64);
            } else if step == words {
                bits &= !(u64::MAX << (start % 64));
            }
            if bits != 0 {
                let slot = word * 64 + bits.trailing_zeros() as usize;
                let ahead = (slot + SLOTS - start) % SLOTS;
                return Some(self.now + 1 + ahead as u64);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Events;

    #[test]
    fn events_come_by_time_and_then_in_the_order_they_were_made() {
        let mut events = Events::new();
        for (time, event) in [(9000, 5), (3, 1), (9000, 6), (0, 0), (3, 2), (4095, 3), (4096, 4)] {
            events.at(time, event);
        }
        let mut found = Vec::new();
        while let Some(event) = events.pop() {
            found.push((events.now(), event));
            if event == 4 {
                events.at(9000, 7);
                events.at(events.now(), 40);
            }
        }
        let expected = [(0, 0), (3, 1), (3, 2), (4095, 3), (4096, 4), (4096, 40), (9000, 5)];
        assert_eq!(found, [&expected[..], &[(9000, 6), (9000, 7)]].concat());
    }
}
