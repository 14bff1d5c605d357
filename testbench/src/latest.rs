//! The latest payloads of an episode, for reports and for making a failing stream small.

/// The latest payloads of an episode. Nothing is allocated once it is full.
#[derive(Debug)]
pub struct Latest {
    capacity: usize,
    /// Words of room for each payload.
    stride: usize,
    /// For each payload its clock and its channel, in the order of their places.
    heads: Vec<(u64, usize)>,
    /// Payloads, each in its place.
    words: Vec<u64>,
    /// The next place to be used.
    next: usize,
}

impl Latest {
    /// Room for so many payloads of up to so many words.
    pub fn new(capacity: usize, stride: usize) -> Self {
        Self { capacity, stride, heads: Vec::new(), words: vec![0; capacity * stride], next: 0 }
    }

    /// Keeps a payload; if there is no room, in the place of the oldest.
    #[inline]
    pub fn keep(&mut self, clock: u64, channel: usize, payload: &[u64]) {
        match self.heads.get_mut(self.next) {
            Some(head) => *head = (clock, channel),
            None => self.heads.push((clock, channel)),
        }
        let place = &mut self.words[self.next * self.stride..][..self.stride];
        place.iter_mut().zip(payload).for_each(|(to, from)| *to = *from);
        self.next = if self.next + 1 == self.capacity { 0 } else { self.next + 1 };
    }

    /// Clocks, channels and places of payloads, the latest last. A place may be longer than the
    /// payload.
    pub fn iter(&self) -> impl Iterator<Item = (u64, usize, &[u64])> {
        let oldest = if self.heads.len() == self.capacity { self.next } else { 0 };
        let places = (oldest..self.heads.len()).chain(0..oldest);
        places.map(|place| {
            let (clock, channel) = self.heads[place];
            (clock, channel, &self.words[place * self.stride..][..self.stride])
        })
    }
}
