//! The registers of the circuit's parts.

use warpsmith_rtl::Signal;
use warpsmith_rtl::library::record::Record;

use super::super::is_aligned;
use super::super::monitor::Monitor;
use super::super::taken::request_fields;
use crate::properties::Probes;

/// The verdict of the last clock.
pub(super) struct Verdict<'m> {
    pub of_table: Signal<'m>,
    pub on_access: Signal<'m>,
    pub on_retry: Signal<'m>,
    pub on_release: Signal<'m>,
    pub on_clear: Signal<'m>,
    /// Its address is that of a granule.
    pub aligned: Signal<'m>,
    /// The access, or the granule of a release.
    pub access: Record<'m>,
    pub verdict: Signal<'m>,
    pub timestamp: Signal<'m>,
    pub reserved: Signal<'m>,
    pub stored: Signal<'m>,
}

impl<'m> Verdict<'m> {
    pub fn new(monitor: &Monitor<'_, 'm>, probes: &Probes) -> Self {
        let Monitor { m, p, .. } = *monitor;
        let signal = |name: &str, width| probes.signal(m, &format!("verdict_{name}"), width);
        let address = signal("address", p.address_bits);
        let granule = address.slice(p.offset_bits()..p.address_bits);
        let rest = [
            granule,
            signal("store", 1),
            signal("warp", p.owner_bits),
            signal("warpts", p.timestamp_bits),
        ];
        Self {
            aligned: is_aligned(p, address),
            of_table: signal("of_table", 1),
            on_access: signal("on_access", 1),
            on_retry: signal("on_retry", 1),
            on_release: signal("on_release", 1),
            on_clear: signal("on_clear", 1),
            access: Record::new(&request_fields(p), rest.to_vec()),
            verdict: signal("verdict", 3),
            timestamp: signal("timestamp", p.timestamp_bits),
            reserved: signal("reserved", 1),
            stored: signal("stored", 1),
        }
    }

    /// A release has ended a reservation.
    pub fn wakes(&self) -> Signal<'m> {
        self.on_release & self.verdict.eq(0) & !self.reserved
    }
}

/// The lines of the stall buffer.
pub(super) struct Stall<'m> {
    pub lines: Vec<Line<'m>>,
    /// The line that is offered, one-hot.
    pub offered: Signal<'m>,
    /// What was to park in the last clock found room.
    pub had_room: Signal<'m>,
}

/// A line.
pub(super) struct Line<'m> {
    pub granule: Signal<'m>,
    pub awake: Signal<'m>,
    pub retrying: Signal<'m>,
    pub again: Signal<'m>,
    pub entries: Vec<Entry<'m>>,
}

/// An entry of a line, as the access that it was.
pub(super) struct Entry<'m> {
    pub taken: Signal<'m>,
    pub access: Record<'m>,
}

impl<'m> Line<'m> {
    pub fn live(&self) -> Signal<'m> {
        self.entries[0].taken | self.retrying
    }

    /// Somebody waits for a release.
    pub fn asleep(&self) -> Signal<'m> {
        self.entries[0].taken & !self.awake & !self.retrying
    }
}

impl<'m> Stall<'m> {
    pub fn new(monitor: &Monitor<'_, 'm>, probes: &Probes) -> Self {
        let Monitor { m, p, .. } = *monitor;
        let line = |number: u32| {
            let signal =
                |name: &str, width| probes.signal(m, &format!("stall.line{number}.{name}"), width);
            let granule = signal("waited_for", p.granule_bits());
            let entry = |i: u32| {
                let field = |name: &str, width| signal(&format!("entry{i}_{name}"), width);
                let rest = [
                    granule,
                    field("store", 1),
                    field("warp", p.owner_bits),
                    field("warpts", p.timestamp_bits),
                ];
                Entry {
                    taken: field("taken", 1),
                    access: Record::new(&request_fields(p), rest.to_vec()),
                }
            };
            Line {
                granule,
                awake: signal("is_awake", 1),
                retrying: signal("is_retrying", 1),
                again: signal("released_again", 1),
                entries: (0..p.entries).map(entry).collect(),
            }
        };
        let lines = (0..p.lines).map(line).collect();
        let offered = probes.signal(m, "stall.offered", p.lines);
        Self { lines, offered, had_room: probes.signal(m, "stall.had_room", 1) }
    }

    /// All entries.
    pub fn entries(&self) -> impl Iterator<Item = &Entry<'m>> {
        self.lines.iter().flat_map(|line| &line.entries)
    }
}
