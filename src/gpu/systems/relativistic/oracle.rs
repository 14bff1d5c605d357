//! Sequential consistency, judged: all accesses of a launch, sorted by (roll-overs, logical time, physical order), are one
//! sequential memory, and the order keeps that of each warp.

use std::collections::HashMap;

use crate::config::LINE;
use crate::memory::{Bytes, Data, Device, write};

/// Bytes of a line with their values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub bytes: Bytes,
    pub data: Data,
}

/// An access to a line.
#[derive(Debug, Clone)]
pub(super) struct Event {
    /// Roll-overs, logical time, and place in the physical order.
    pub time: [u64; 3],
    pub core: u32,
    pub warp: u32,
    /// Place among the warp's accesses. Lanes that access several lines are in no order.
    pub turn: u64,
    pub pc: u32,
    pub line: u32,
    pub read: Option<Part>,
    pub written: Option<Part>,
}

/// A violation: its text, and the accesses that it names with the index of their instructions.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Violation {
    pub text: String,
    pub accused: Vec<(String, u32)>,
}

/// The accesses of a launch, and memory before it.
#[derive(Debug, Default)]
pub(super) struct Oracle {
    memory: Device,
    pub events: Vec<Event>,
    /// Accesses of each warp so far.
    turns: HashMap<(u32, u32), u64>,
    /// Stores and atomics that have been sent and are not over, by core and tag.
    sent: HashMap<[u64; 2], Event>,
}

/// Finds the access that stored a byte last.
type Writers = HashMap<(u32, usize), usize>;

impl Oracle {
    /// A launch begins on this memory.
    pub fn begin(&mut self, memory: &Device) {
        *self = Self { memory: memory.clone(), ..Self::default() };
    }

    /// The number of a warp's next access.
    pub fn turn(&mut self, core: u32, warp: u32) -> u64 {
        let turn = self.turns.entry((core, warp)).or_default();
        *turn += 1;
        *turn
    }

    /// A store or an atomic is sent.
    pub fn sends(&mut self, key: [u64; 2], event: Event) {
        self.sent.insert(key, event);
    }

    /// Has changed the data array.
    pub fn changes(&mut self, key: [u64; 2], read: Option<Part>, written: Option<Part>) {
        if let Some(event) = self.sent.get_mut(&key) {
            (event.read, event.written) = (read, written);
        }
    }

    /// Its time is known.
    pub fn takes_effect(&mut self, key: [u64; 2], time: [u64; 3]) {
        if let Some(event) = self.sent.remove(&key) {
            self.events.push(Event { time, ..event });
        }
    }

    /// Judges the launch, which has left this memory.
    pub fn judge(&mut self, left: &Device) -> Result<(), Violation> {
        self.events.sort_by_key(|event| event.time);
        let mut turns: HashMap<(u32, u32), usize> = HashMap::new();
        let mut writers = Writers::new();
        for at in 0..self.events.len() {
            let event = &self.events[at];
            let last = turns.insert((event.core, event.warp), at);
            if let Some(last) = last.filter(|last| self.events[*last].turn > event.turn) {
                return Err(self.violation("the order is not that of the warp", at, Some(last)));
            }
            self.perform(at, &mut writers)?;
        }
        let (found, expected) = (left.bytes(), self.memory.bytes());
        match found.iter().zip(expected).position(|(found, expected)| found != expected) {
            None => Ok(()),
            Some(place) => {
                let key = ((place / LINE) as u32, place % LINE);
                let accused = writers.get(&key).map(|at| self.named(*at)).into_iter().collect();
                let text = format!(
                    "memory at {} is {:#x}, not {:#x} as stored last",
                    left.name_of(place),
                    found[place],
                    expected[place]
                );
                Err(Violation { text, accused })
            }
        }
    }

    fn perform(&mut self, at: usize, writers: &mut Writers) -> Result<(), Violation> {
        let Event { line, read, written, .. } = self.events[at];
        let first = line as usize * LINE;
        if let Some(Part { bytes, data }) = read {
            let held = &self.memory.bytes()[first..];
            let wrong = (0..LINE).find(|byte| bytes >> byte & 1 != 0 && held[*byte] != data[*byte]);
            if let Some(byte) = wrong {
                let text = format!(
                    "a load of {} gets {:#x}, not {:#x}",
                    self.memory.name_of(first + byte),
                    data[byte],
                    held[byte]
                );
                let writer = writers.get(&(line, byte)).copied();
                return Err(self.violation(&text, at, writer));
            }
        }
        if let Some(Part { bytes, data }) = written {
            write(&mut self.memory.contents()[first..first + LINE], &data, bytes);
            let bytes = (0..LINE).filter(|byte| bytes >> byte & 1 != 0);
            bytes.for_each(|byte| _ = writers.insert((line, byte), at));
        }
        Ok(())
    }

    fn violation(&self, what: &str, at: usize, other: Option<usize>) -> Violation {
        let accused = [Some(at), other].into_iter().flatten().map(|at| self.named(at));
        Violation {
            text: format!("not sequentially consistent: {what}"),
            accused: accused.collect(),
        }
    }

    fn named(&self, at: usize) -> (String, u32) {
        let Event { time: [rolls, time, _], core, warp, pc, read, .. } = &self.events[at];
        let kind = if read.is_some() { "reads" } else { "stores" };
        (
            format!(
                "warp {warp} of core {core} {kind} at logical time {time} after {rolls} roll-overs"
            ),
            *pc,
        )
    }
}
