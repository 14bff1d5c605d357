//! Tags of a cache: which lines it has, and what of them. Contents are not kept.

/// No line has this number.
const EMPTY: u32 = u32::MAX;

/// A place for a line. Masks have a bit for each sector.
#[derive(Debug, Clone, Copy)]
struct Place {
    line: u32,
    /// Sectors that have been asked for.
    reserved: u8,
    valid: u8,
    dirty: u8,
    /// Sectors that were stored to, and of which some bytes are not known.
    partial: u8,
    /// Bytes that were stored.
    stored: u128,
    used: u64,
}

/// What a lookup finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// The sector.
    Hit(usize),
    /// The sector is on its way.
    Reserved(usize),
    /// The line without the sector.
    Sector(usize),
    /// Not the line; this place makes room.
    Miss(usize),
    /// Not the line, and every place is reserved.
    Full,
}

/// A line that made room.
#[derive(Debug, Clone, Copy)]
pub(super) struct Evicted {
    pub(super) line: u32,
    /// Dirty sectors.
    pub(super) dirty: u8,
}

/// Tags of a set-associative cache; the line that was not used for longest makes room.
#[derive(Debug)]
pub(super) struct Tags {
    ways: usize,
    places: Vec<Place>,
    uses: u64,
}

impl Tags {
    pub(super) fn new(sets: u32, ways: u32) -> Self {
        let mut tags = Self { ways: ways as usize, places: Vec::new(), uses: 0 };
        tags.places.resize((sets * ways) as usize, Place::EMPTY);
        tags
    }

    pub(super) fn clear(&mut self) {
        self.places.fill(Place::EMPTY);
    }

    /// Looks for a sector of a line in a set.
    pub(super) fn find(&self, set: u32, line: u32, sector: u8, is_write: bool) -> Found {
        let first = set as usize * self.ways;
        let mut room = None;
        for at in first..first + self.ways {
            let place = &self.places[at];
            if place.line == line {
                if place.reserved & sector != 0 {
                    return Found::Reserved(at);
                }
                let is_readable = is_write || place.partial & sector == 0;
                return match place.valid & sector != 0 && is_readable {
                    true => Found::Hit(at),
                    false => Found::Sector(at),
                };
            }
            let age = if place.line == EMPTY { 0 } else { place.used };
            if place.reserved == 0 && room.is_none_or(|(least, _)| age < least) {
                room = Some((age, at));
            }
        }
        room.map_or(Found::Full, |(_, at)| Found::Miss(at))
    }

    pub(super) fn touch(&mut self, at: usize) {
        self.uses += 1;
        self.places[at].used = self.uses;
    }

    /// Gives a place to another line.
    pub(super) fn replace(&mut self, at: usize, line: u32) -> Option<Evicted> {
        let old = self.places[at];
        self.places[at] = Place { line, ..Place::EMPTY };
        self.touch(at);
        let is_dirty = old.line != EMPTY && old.dirty != 0;
        is_dirty.then_some(Evicted { line: old.line, dirty: old.dirty })
    }

    pub(super) fn reserve(&mut self, at: usize, sector: u8) {
        self.places[at].reserved |= sector;
        self.touch(at);
    }

    /// A sector has come.
    pub(super) fn fill(&mut self, at: usize, sector: u8, is_dirty: bool) {
        let place = &mut self.places[at];
        place.reserved &= !sector;
        place.valid |= sector;
        place.partial &= !sector;
        if is_dirty {
            place.dirty |= sector;
        }
    }

    /// Bytes of a sector are stored.
    pub(super) fn store(&mut self, at: usize, sector: u8, stored: u128, all: u128) {
        self.touch(at);
        let place = &mut self.places[at];
        let was_known = place.valid & sector != 0 && place.partial & sector == 0;
        place.stored |= stored;
        place.valid |= sector;
        place.dirty |= sector;
        place.partial &= !sector;
        if !was_known && place.stored & all != all {
            place.partial |= sector;
        }
        place.reserved &= !sector;
    }

    /// Forgets a sector.
    pub(super) fn invalidate(&mut self, at: usize, sector: u8) {
        let place = &mut self.places[at];
        place.valid &= !sector;
        if place.valid | place.reserved == 0 {
            *place = Place::EMPTY;
        }
    }
}

impl Place {
    const EMPTY: Self =
        Self { line: EMPTY, reserved: 0, valid: 0, dirty: 0, partial: 0, stored: 0, used: 0 };
}
