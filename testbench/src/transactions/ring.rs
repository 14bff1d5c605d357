//! The ring between the validation units by which all of them roll over together (4.5.2).
//!
//! A unit whose timestamps run out stops, and sends *stop* round the ring with its number. Whoever
//! gets the message stops, and passes it on. If several units have stopped by themselves, the message of
//! the lowest number alone comes back to where it began. Then all have stopped; the cores abort what
//! they run and send their last logs; and *go* travels the ring: each unit waits until its commit unit is
//! drained, clears its table and passes the message on. When it comes back, the cores go on.
//!
//! The paper has the cores acknowledge a request of the units; that a core sends its last log before it
//! acknowledges, and that it begins nothing before the end, is ours.

use std::collections::VecDeque;

/// Clocks that a message takes from a unit to the next.
const HOP: u64 = 4;

/// A message, with the number of the unit that it began at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Message {
    Stop { origin: usize },
    Go { origin: usize },
}

/// What the ring asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// That unit is to stop.
    Stop(usize),
    /// That unit is to clear its table and go on.
    Go(usize),
    /// The cores are to abort what they run, and to begin nothing more.
    HaltCores,
    /// The cores are to begin again at their lowest timestamps.
    ReleaseCores,
}

/// A unit on the ring.
#[derive(Clone, Copy, Debug, Default)]
struct Station {
    /// The unit has stopped.
    stopped: bool,
    /// It has stopped by itself, and its own message has not met one of a lower number.
    leads: bool,
    /// A message that it passes on once it has done what it says.
    held: Option<Message>,
    /// It has been told to do what the message says.
    told: bool,
}

/// The ring.
#[derive(Clone, Debug)]
pub struct Ring {
    stations: Vec<Station>,
    /// On their way: when they arrive, and where.
    messages: VecDeque<(u64, usize, Message)>,
    /// The unit whose *stop* has come back, until the cores have halted.
    halting: Option<usize>,
    now: u64,
}

impl Ring {
    /// A ring of so many units.
    pub fn new(units: usize) -> Self {
        Self {
            stations: vec![Station::default(); units],
            messages: VecDeque::new(),
            halting: None,
            now: 0,
        }
    }

    /// A unit says that it has stopped; or, if `go`, that it is cleared and goes on.
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

    /// One clock. `halted`: no core runs a transaction, and all logs are with the commit units.
    /// `is_drained`: whether the commit unit of that number has done with them.
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
