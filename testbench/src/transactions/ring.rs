//! The ring on which the validation units coordinate a roll-over (4.5.2).
//!
//! A unit whose timestamps run out stops and sends *stop* with its number round the ring. Each receiver stops
//! and passes it on. If several units stop on their own, only the message of the lowest number returns to its
//! origin. Then all have stopped; the cores abort their transactions and send their last logs; and *go*
//! travels the ring: each unit waits until its commit unit is drained, clears its table and passes the
//! message on. When it returns, the cores continue.
//!
//! In the paper the cores acknowledge a request of the units. That a core sends its last log before the
//! acknowledgement, and begins nothing before the end, is our choice.

use std::collections::VecDeque;

/// Clocks of a hop between units.
const HOP: u64 = 4;

/// A message with the number of its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Message {
    Stop { origin: usize },
    Go { origin: usize },
}

/// A command of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The unit must stop.
    Stop(usize),
    /// The unit must clear its table and continue.
    Go(usize),
    /// The cores must abort their transactions and begin none.
    HaltCores,
    /// The cores may begin again at their lowest timestamps.
    ReleaseCores,
}

/// A unit on the ring.
#[derive(Clone, Copy, Debug, Default)]
struct Station {
    /// Whether the unit has stopped.
    stopped: bool,
    /// Whether it stopped on its own and its message has met none with a lower number.
    leads: bool,
    /// A message to pass on after executing it.
    held: Option<Message>,
    /// Whether the unit was told to execute the message.
    told: bool,
}

/// The ring.
#[derive(Clone, Debug)]
pub struct Ring {
    stations: Vec<Station>,
    /// Messages in flight: arrival time and destination.
    messages: VecDeque<(u64, usize, Message)>,
    /// The unit whose *stop* has returned, until the cores have halted.
    halting: Option<usize>,
    now: u64,
}

impl Ring {
    /// A ring of `units` units.
    pub fn new(units: usize) -> Self {
        Self {
            stations: vec![Station::default(); units],
            messages: VecDeque::new(),
            halting: None,
            now: 0,
        }
    }

    /// A unit reports that it has stopped; or, with `go`, that it was cleared and continues.
    pub fn rolled(&mut self, unit: usize, go: bool) {
        let station = &mut self.stations[unit];
        station.stopped = !go;
        station.told = false;
        match station.held.take() {
            Some(message) => self.pass_on(unit, message),
            None if !go => {
                station.leads = true;
                self.pass_on(unit, Message::Stop { origin: unit });
            }
            None => {}
        }
    }

    /// One clock. `halted`: no core runs a transaction, and the commit units have all logs. `is_drained`:
    /// whether a commit unit has processed them.
    pub fn clock(&mut self, halted: bool, is_drained: impl Fn(usize) -> bool) -> Vec<Order> {
        self.now += 1;
        let mut orders = Vec::new();
        while let Some(&(due, unit, message)) = self.messages.front()
            && due <= self.now
        {
            self.messages.pop_front();
            self.arrive(unit, message, &mut orders);
        }
        if let Some(origin) = self.halting.filter(|_| halted) {
            self.halting = None;
            self.stations[origin].held = Some(Message::Go { origin });
        }
        for (unit, station) in self.stations.iter_mut().enumerate() {
            let goes = matches!(station.held, Some(Message::Go { .. })) && !station.told;
            if goes && is_drained(unit) {
                station.told = true;
                orders.push(Order::Go(unit));
            }
        }
        orders
    }

    fn arrive(&mut self, unit: usize, message: Message, orders: &mut Vec<Order>) {
        let station = &mut self.stations[unit];
        match message {
            Message::Stop { origin } if origin == unit => {
                self.halting = Some(unit);
                orders.push(Order::HaltCores);
            }
            // This unit's own message goes on instead.
            Message::Stop { origin } if station.leads && unit < origin => {}
            Message::Stop { .. } if station.stopped => {
                station.leads = false;
                self.pass_on(unit, message);
            }
            Message::Stop { .. } => {
                station.held = Some(message);
                station.told = true;
                orders.push(Order::Stop(unit));
            }
            Message::Go { origin } if origin == unit => {
                station.leads = false;
                orders.push(Order::ReleaseCores);
            }
            Message::Go { .. } => station.held = Some(message),
        }
    }

    fn pass_on(&mut self, unit: usize, message: Message) {
        let next = (unit + 1) % self.stations.len();
        self.messages.push_back((self.now + HOP, next, message));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates units, some of which stop on their own at a clock; each executes a command three clocks
    /// later. Returns the commands in order.
    fn roll_over(stop_at: &[Option<u64>]) -> Vec<Order> {
        let mut ring = Ring::new(stop_at.len());
        let mut stopped = vec![false; stop_at.len()];
        let mut told: Vec<(u64, Order)> = Vec::new();
        let mut all = Vec::new();
        for clock in 0..500 {
            for (unit, at) in stop_at.iter().enumerate() {
                if *at == Some(clock) && !stopped[unit] {
                    stopped[unit] = true;
                    ring.rolled(unit, false);
                }
            }
            let due: Vec<_> = told.extract_if(.., |(at, _)| *at == clock).collect();
            for (_, order) in due {
                match order {
                    Order::Stop(unit) if !stopped[unit] => {
                        stopped[unit] = true;
                        ring.rolled(unit, false);
                    }
                    Order::Go(unit) => {
                        assert!(stopped[unit], "{stop_at:?}: unit {unit} goes on twice");
                        stopped[unit] = false;
                        ring.rolled(unit, true);
                    }
                    _ => {}
                }
            }
            let halted = all.contains(&Order::HaltCores);
            for order in ring.clock(halted, |_| true) {
                if order == Order::HaltCores {
                    assert!(stopped.iter().all(|stopped| *stopped), "{stop_at:?}");
                }
                told.push((clock + 3, order));
                all.push(order);
            }
        }
        assert!(stopped.iter().all(|stopped| !stopped), "{stop_at:?}: all go on");
        all
    }

    #[test]
    fn whoever_stops_at_once_all_units_roll_over_once() {
        let clocks = [None, Some(1), Some(2), Some(6), Some(9), Some(14)];
        let choices = clocks.len().pow(3);
        for choice in 1..choices {
            let at = |unit: u32| clocks[choice / clocks.len().pow(unit) % clocks.len()];
            let orders = roll_over(&[at(0), at(1), at(2)]);
            let count = |order: Order| orders.iter().filter(|it| **it == order).count();
            assert_eq!(count(Order::HaltCores), 1, "{orders:?}");
            assert_eq!(count(Order::ReleaseCores), 1, "{orders:?}");
            assert_eq!([0, 1, 2].map(|unit| count(Order::Go(unit))), [1; 3], "{orders:?}");
            assert_eq!(orders.last(), Some(&Order::ReleaseCores));
        }
    }

    #[test]
    fn a_unit_alone_rolls_over_with_itself() {
        assert_eq!(roll_over(&[Some(3)]), [Order::HaltCores, Order::Go(0), Order::ReleaseCores]);
    }

    #[test]
    fn nobody_clears_a_table_before_its_commit_unit_is_drained() {
        let mut ring = Ring::new(2);
        ring.rolled(0, false);
        let mut drained_at = None;
        for clock in 0..200 {
            for order in ring.clock(true, |unit| unit == 1 || clock >= 100) {
                match order {
                    Order::Stop(unit) => ring.rolled(unit, false),
                    Order::Go(unit) => {
                        drained_at = drained_at.or(Some((unit, clock)));
                        ring.rolled(unit, true);
                    }
                    Order::HaltCores | Order::ReleaseCores => {}
                }
            }
        }
        assert_eq!(drained_at, Some((0, 100)));
    }
}
