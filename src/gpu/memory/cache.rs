//! Caches that hold data.

use super::{Bytes, Data, LINE, WHOLE};

/// No line has this number.
const EMPTY: u32 = u32::MAX;

/// A set-associative cache; the line that was not used for longest makes room. A system keeps what
/// it knows of a line in a tag: a lease, an owner, a state.
#[derive(Debug)]
pub struct Cache<T = ()> {
    sets: usize,
    ways: usize,
    lines: Vec<u32>,
    used: Vec<u64>,
    valid: Vec<Bytes>,
    dirty: Vec<Bytes>,
    data: Vec<Data>,
    tags: Vec<T>,
    uses: u64,
}

/// A line that made room.
#[derive(Debug, Clone, Copy)]
pub struct Victim<T = ()> {
    /// Which.
    pub line: u32,
    /// Bytes that memory does not have.
    pub dirty: Bytes,
    /// Its contents.
    pub data: Data,
    /// What the system knew of it.
    pub tag: T,
}

impl<T: Copy + Default> Cache<T> {
    /// An empty cache.
    pub fn new(bytes: u32, ways: u32) -> Self {
        let places = bytes as usize / LINE;
        Self {
            sets: places / ways as usize,
            ways: ways as usize,
            lines: vec![EMPTY; places],
            used: vec![0; places],
            valid: vec![0; places],
            dirty: vec![0; places],
            data: vec![[0; LINE]; places],
            tags: vec![T::default(); places],
            uses: 0,
        }
    }

    /// Where a line is, whatever of it is valid.
    #[inline]
    pub fn find(&self, line: u32) -> Option<usize> {
        let first = line as usize % self.sets * self.ways;
        let set = &self.lines[first..first + self.ways];
        set.iter().position(|held| *held == line).map(|way| first + way)
    }

    /// Where a line is of which all bytes are valid; that counts as a use.
    #[inline]
    pub fn hit(&mut self, line: u32) -> Option<usize> {
        let place = self.find(line).filter(|place| self.valid[*place] == WHOLE)?;
        self.touch(place);
        Some(place)
    }

    #[inline]
    fn touch(&mut self, place: usize) {
        self.uses += 1;
        self.used[place] = self.uses;
    }

    /// Contents of a place.
    #[inline]
    pub fn data(&self, place: usize) -> &Data {
        &self.data[place]
    }

    /// Bytes of a place that are valid.
    pub fn valid(&self, place: usize) -> Bytes {
        self.valid[place]
    }

    /// Bytes of a place that memory does not have.
    pub fn dirty(&self, place: usize) -> Bytes {
        self.dirty[place]
    }

    /// A place has been written back: gives the bytes that were dirty.
    pub fn cleaned(&mut self, place: usize) -> Bytes {
        std::mem::take(&mut self.dirty[place])
    }

    /// The tag of a place.
    pub fn tag(&mut self, place: usize) -> &mut T {
        &mut self.tags[place]
    }

    /// Contents of a place, to be changed; the bytes become dirty if they are kept here only.
    pub fn change(&mut self, place: usize, bytes: Bytes, keep: bool) -> &mut Data {
        self.valid[place] |= bytes;
        if keep {
            self.dirty[place] |= bytes;
        }
        self.touch(place);
        &mut self.data[place]
    }

    /// Writes bytes of a line, if it is there; they are not kept here only.
    pub fn update(&mut self, line: u32, data: &Data, bytes: Bytes) {
        if let Some(place) = self.find(line) {
            write(self.change(place, bytes, false), data, bytes);
        }
    }

    /// Makes room for a line that is not there, with no byte valid and the default tag.
    pub fn allocate(&mut self, line: u32) -> (usize, Option<Victim<T>>) {
        let first = line as usize % self.sets * self.ways;
        let oldest = (first..first + self.ways)
            .min_by_key(|place| if self.lines[*place] == EMPTY { 0 } else { self.used[*place] });
        let place = oldest.unwrap_or(first);
        let victim = (self.lines[place] != EMPTY).then(|| Victim {
            line: self.lines[place],
            dirty: self.dirty[place],
            data: self.data[place],
            tag: self.tags[place],
        });
        self.lines[place] = line;
        (self.valid[place], self.dirty[place]) = (0, 0);
        self.tags[place] = T::default();
        self.touch(place);
        (place, victim)
    }

    /// Puts what has come from below where nothing newer is; gives the line that made room.
    pub fn fill(&mut self, line: u32, data: &Data) -> Option<Victim<T>> {
        let (place, victim) = match self.find(line) {
            Some(place) => (place, None),
            None => self.allocate(line),
        };
        write(&mut self.data[place], data, !self.valid[place]);
        self.valid[place] = WHOLE;
        self.touch(place);
        victim
    }

    /// Forgets a line; gives whether it was there.
    pub fn drop_line(&mut self, line: u32) -> bool {
        let place = self.find(line);
        if let Some(place) = place {
            self.lines[place] = EMPTY;
        }
        place.is_some()
    }

    /// Forgets the lines that the test names; gives how many.
    pub fn drop_where(&mut self, test: impl Fn(u32) -> bool) -> u64 {
        self.drop_tagged(|line, _| test(line))
    }

    /// As [`Cache::drop_where`], by line and tag.
    pub fn drop_tagged(&mut self, test: impl Fn(u32, &T) -> bool) -> u64 {
        let mut dropped = 0;
        for (line, tag) in self.lines.iter_mut().zip(&self.tags) {
            if *line != EMPTY && test(*line, tag) {
                *line = EMPTY;
                dropped += 1;
            }
        }
        dropped
    }

    /// Writes the dirty lines back; they stay as clean ones.
    pub fn clean(&mut self, keep: impl FnMut(u32, &Data, Bytes)) {
        self.clean_where(|_| true, keep);
    }

    /// As [`Cache::clean`], of lines whose tag the test names.
    pub fn clean_where(
        &mut self,
        test: impl Fn(&T) -> bool,
        mut keep: impl FnMut(u32, &Data, Bytes),
    ) {
        for place in 0..self.lines.len() {
            if self.lines[place] != EMPTY && self.dirty[place] != 0 && test(&self.tags[place]) {
                keep(self.lines[place], &self.data[place], self.dirty[place]);
                self.dirty[place] = 0;
            }
        }
    }
}

/// Copies the bytes of the mask.
pub fn write(to: &mut [u8], from: &[u8], mask: Bytes) {
    if mask == WHOLE {
        to.copy_from_slice(from);
        return;
    }
    for (at, (to, from)) in to.iter_mut().zip(from).enumerate() {
        if mask >> at & 1 != 0 {
            *to = *from;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, LINE, WHOLE};

    #[test]
    fn the_line_that_was_not_used_for_longest_makes_room() {
        let mut cache = Cache::<()>::new(2 * LINE as u32, 2);
        assert!(cache.fill(1, &[1; LINE]).is_none());
        assert!(cache.fill(2, &[2; LINE]).is_none());
        assert!(cache.hit(1).is_some());
        assert_eq!(cache.fill(3, &[3; LINE]).map(|victim| victim.line), Some(2));
        assert!(cache.hit(1).is_some() && cache.find(2).is_none());
    }

    #[test]
    fn a_fill_does_not_overwrite_what_was_stored_before_it() {
        let mut cache = Cache::<()>::new(2 * LINE as u32, 2);
        let (place, _) = cache.allocate(7);
        cache.change(place, 0b10, true)[1] = 9;
        assert_eq!(cache.hit(7), None, "only one byte is valid");
        cache.fill(7, &[5; LINE]);
        let place = cache.hit(7).expect("filled");
        assert_eq!(cache.data(place)[..3], [5, 9, 5]);
        let mut kept = Vec::new();
        cache.clean(|line, data, dirty| kept.push((line, data[1], dirty)));
        assert_eq!(kept, [(7, 9, 0b10)]);
        let (_, victim) = (cache.allocate(8), cache.allocate(9).1.expect("the set is full"));
        assert_eq!((victim.line, victim.dirty), (7, 0));
        assert_eq!(WHOLE.count_ones() as usize, LINE);
    }
}
