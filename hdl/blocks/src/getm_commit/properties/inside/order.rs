//! The ring is in order, and what leaves it is in order.

use warpsmith_rtl::Signal;

use super::Inside;

impl<'m> Inside<'_, 'm> {
    pub(super) fn ring_is_sound(&self) {
        let (m, p, ring) = (self.m, self.p, &self.ring);
        let wide = |count: Signal<'m>| count.zero_extend(count.width() + 1);
        let fits = (wide(ring.waits) + wide(ring.in_window)).le(p.ring);
        let pointers = [ring.waits.le(p.ring), ring.in_window.le(p.window), fits];
        self.invariant("pointers", &pointers, "The pointers of the ring are in order.");

        let open = (0..).zip(&ring.open).map(|(place, open): (usize, _)| {
            let slots = ring.slots.iter().skip(place).step_by(ring.open.len());
            !*open | slots.map(|slot| slot.is_in_window).reduce(|a, b| a | b).expect("a slot")
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
        self.invariant(
            "youngest",
            &youngest,
            "No region is younger than an open one of its number.",
        );

        let not_whole = ring.slots.iter().map(|slot| !(slot.is_open & slot.region.bytes.all()));
        let not_whole: Vec<_> = not_whole.collect();
        self.invariant("not_whole", &not_whole, "A region of which all is written is closed.");

        // A release is presented before the next one comes.
        let one = !(self.releases[0].valid & self.releases[1].valid);
        let mut well_formed = vec![one, self.aligned[0], self.aligned[1]];
        for region in &self.leaving[..2] {
            let all = region.bytes.to_bits().into_iter().map(|bit| bit.repeat(8));
            let mask = m.concat_low_first(&all.collect::<Vec<_>>());
            well_formed.push(!region.valid | !(region.data & !mask).any());
        }
        self.invariant("leaving", &well_formed, "What leaves is well formed.");
    }
}
