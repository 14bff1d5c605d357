//! The ring as the circuit's RAMs and registers hold it.

use super::super::monitor::Monitor;
use super::Inside;
use super::held::Before;
use crate::circuit::byte_mask;
use crate::getm_commit::circuit::region_fields;
use crate::getm_commit::corners::*;
use crate::kit::*;
use crate::properties;

/// A region in some place.
#[derive(Clone)]
pub(super) struct Region<'m> {
    pub valid: Signal<'m>,
    /// How many writes are due before it.
    pub before: Signal<'m>,
    pub granule: Signal<'m>,
    /// It is the chosen one.
    pub here: Signal<'m>,
    pub count: Signal<'m>,
    pub bytes: Signal<'m>,
    pub data: Signal<'m>,
    pub writes: Signal<'m>,
    /// The chosen bit is written.
    pub sets: Signal<'m>,
    /// What is written to it.
    pub value: Signal<'m>,
}

impl<'m> Region<'m> {
    pub fn new(
        monitor: &Monitor<'_, 'm>,
        (valid, before): (Signal<'m>, Signal<'m>),
        granule: Signal<'m>,
        count: Signal<'m>,
        (bytes, data): (Signal<'m>, Signal<'m>),
    ) -> Self {
        let chosen = &monitor.chosen;
        let sets = chosen.in_bytes(bytes);
        Self {
            valid,
            before,
            granule,
            here: valid & granule.eq(chosen.granule),
            count,
            bytes,
            data,
            writes: bytes.any(),
            sets,
            value: sets & chosen.in_data(data),
        }
    }

    fn signals(&self) -> [Signal<'m>; 10] {
        let Self { valid, before, granule, here, count, bytes, data, writes, sets, value } = *self;
        [valid, before, granule, here, count, bytes, data, writes, sets, value]
    }
}

/// The ring, and what has just been read from it.
pub(super) struct Ring<'m> {
    /// Those that have left the window, and those in it.
    pub waits: Signal<'m>,
    pub in_window: Signal<'m>,
    pub slots: Vec<Slot<'m>>,
    /// The same from `head` on: the oldest region first.
    pub in_order: Vec<Slot<'m>>,
    pub read: Region<'m>,
    /// Of the places of the window, whether they are open.
    pub open: Vec<Signal<'m>>,
}

/// A slot of the ring.
#[derive(Clone)]
pub(super) struct Slot<'m> {
    /// How many slots are between `head` and it.
    pub age: Signal<'m>,
    pub region: Region<'m>,
    pub is_in_window: Signal<'m>,
    pub is_open: Signal<'m>,
    /// Its place of the window knows that it is of this slot.
    pub is_known: Signal<'m>,
}

impl<'m> Slot<'m> {
    /// The one whose bit is one.
    fn select(which: Signal<'m>, slots: &[Slot<'m>]) -> Self {
        let of = |value: &dyn Fn(&Slot<'m>) -> Signal<'m>| {
            one_hot::select(which, &slots.iter().map(value).collect::<Vec<_>>())
        };
        let age = of(&|slot| slot.age);
        let [valid, before, granule, here, count, bytes, data, writes, sets, value] =
            std::array::from_fn(|field| of(&|slot| slot.region.signals()[field]));
        Self {
            age,
            region: Region {
                valid,
                before,
                granule,
                here,
                count,
                bytes,
                data,
                writes,
                sets,
                value,
            },
            is_in_window: of(&|slot| slot.is_in_window),
            is_open: of(&|slot| slot.is_open),
            is_known: of(&|slot| slot.is_known),
        }
    }
}

impl<'m> Ring<'m> {
    pub fn new(
        monitor: &Monitor<'_, 'm>,
        probes: &Probes,
        [head, window_head, tail]: [Signal<'m>; 3],
        before: &Before<'m>,
    ) -> Self {
        let (m, p) = (monitor.m, monitor.p);
        let fields = region_fields(p).without("data");
        let place = |name: &str, width| -> Vec<_> {
            let signal = |i| probes.signal(m, &format!("place{i}_{name}"), width);
            (0..p.window).map(signal).collect()
        };
        let (open, laps) = (place("open", 1), place("lap", p.slot_bits() - p.window.ilog2()));
        let in_registers: Vec<_> =
            fields.iter().map(|field| place(&field.name, field.width)).collect();
        let (waits, in_window) = (window_head - head, tail - window_head);

        let slot = |slot: u32| {
            let place = (slot % p.window) as usize;
            let behind_head = (m.lit(p.slot_bits(), u64::from(slot))
                - head.truncate(p.slot_bits()))
            .zero_extend(waits.width());
            let left = behind_head.lt(waits);
            let valid = behind_head.lt(waits + in_window);
            let stored = probes.row(m, "sizes", slot, fields.width());
            let stored = Record::unpack(&fields, stored);
            let fields = fields.iter().zip(&in_registers);
            let held = fields.map(|(field, held)| left.mux(stored.get(&field.name), held[place]));
            let [granule, bytes, count] = held.collect::<Vec<_>>()[..] else {
                unreachable!("three")
            };
            let contents = (bytes, probes.row(m, "data", slot, 8 * p.granule_bytes));
            let place_of = (valid, before.slots[slot as usize]);
            let is_in_window = valid & !left;
            Slot {
                age: behind_head,
                region: Region::new(monitor, place_of, granule, count, contents),
                is_in_window,
                is_open: is_in_window & open[place],
                is_known: !is_in_window | laps[place].eq(slot / p.window),
            }
        };
        let slots: Vec<_> = (0..p.ring).map(slot).collect();
        let at = |i| one_hot::decode((head + i).truncate(p.slot_bits()), p.ring);
        let in_order = (0..p.ring).map(|i| Slot::select(at(i), &slots)).collect();

        let sizes = Record::unpack(&fields, probes.signal(m, "sizes_read", fields.width()));
        let data = probes.signal(m, "data_read", 8 * p.granule_bytes);
        let valid = probes.signal(m, "region_valid", 1);
        let [granule, bytes, count] = ["granule", "bytes", "count"].map(|field| sizes.get(field));
        let read = Region::new(monitor, (valid, before.read), granule, count, (bytes, data));
        Self { waits, in_window, slots, in_order, read, open }
    }

    /// It has no free slot.
    pub fn is_full(&self) -> Signal<'m> {
        (self.waits + self.in_window).eq(self.slots.len() as u64)
    }
}

// The ring is in order, and what leaves it is in order.

impl<'m> Inside<'_, 'm> {
    pub(super) fn ring_is_sound(&self) {
        let (m, p, ring) = (self.m, self.p, &self.ring);
        let wide = |count: Signal<'m>| count.zero_extend(count.width() + 1);
        let fits = (wide(ring.waits) + wide(ring.in_window)).le(p.ring);
        let pointers = [ring.waits.le(p.ring), ring.in_window.le(p.window), fits];
        self.invariant("pointers", &pointers, "The pointers of the ring are in order.");

        let open = ring.open.iter().enumerate().map(|(place, open)| {
            let slots = ring.slots.iter().skip(place).step_by(ring.open.len());
            !*open | any_of(slots.map(|slot| slot.is_in_window))
        });
        let open: Vec<_> = open.collect();
        self.invariant("open", &open, "What is open is in the window.");
        let known: Vec<_> = ring.slots.iter().map(|slot| slot.is_known).collect();
        self.invariant("slots", &known, "A place of the window knows its slot.");

        // An item finds the youngest of its region, or none.
        let mut youngest = Vec::new();
        for (i, older) in ring.in_order.iter().enumerate() {
            let later = ring.in_order[i + 1..].iter().map(|slot| &slot.region);
            let same = later.map(|other| other.valid & other.granule.eq(older.region.granule));
            youngest.extend(same.map(|same| !(older.is_open & same)));
        }
        self.invariant("youngest", &youngest, "An open region is the youngest of its number.");

        let is_not_whole = |slot: &Slot<'m>| !(slot.is_open & slot.region.bytes.all());
        let not_whole: Vec<_> = ring.slots.iter().map(is_not_whole).collect();
        self.invariant("not_whole", &not_whole, "A region of which all is written is closed.");

        // A release is presented before the next one comes.
        let one = !(self.releases[0].valid & self.releases[1].valid);
        let mut well_formed = vec![one, self.aligned[0], self.aligned[1]];
        for region in &self.leaving[..2] {
            let mask = byte_mask(m, region.bytes);
            well_formed.push(!region.valid | !(region.data & !mask).any());
        }
        self.invariant("leaving", &well_formed, "What leaves is well formed.");
    }
}

// Why regions leave: corners that show inside only.

impl<'m> Inside<'_, 'm> {
    pub(super) fn cover_why_regions_leave(&self, probes: &Probes) {
        let (m, p) = (self.m, self.p);
        let signal = |name: &str, width| probes.signal(m, name, width);
        let [takes, needs_a_slot, splits] =
            ["takes_item", "needs_a_slot", "too_many_writes"].map(|name| signal(name, 1));
        let [closes, old, oldest] =
            ["closes", "is_old", "oldest"].map(|name| signal(name, p.window));
        let open = m.concat_low_first(&self.ring.open);
        let cover =
            |corner, condition: Signal<'m>| properties::cover(m, p, corner, takes & condition);

        let ends = self.items[0].item.ends;
        cover(ENDED, ends & open.any());
        cover(LEAVE_TOGETHER, ends & (open & (open - 1)).any());
        cover(AGED, (old & open).any());
        cover(SPLIT, splits);
        let is_full = self.ring.in_window.eq(p.window);
        cover(PRESSED, needs_a_slot & is_full & (open & !closes & oldest).any());
        let slots = self.ring.slots.iter();
        cover(COVERED, any_of(slots.map(|slot| slot.is_in_window & slot.region.bytes.all())));
    }
}
