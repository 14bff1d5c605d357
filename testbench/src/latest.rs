//! The latest payloads of an episode, for reports and shrinking.

/// A ring buffer of payloads. It allocates nothing once full.
#[derive(Debug)]
pub struct Latest {
    capacity: usize,
    /// Words reserved for each payload.
    stride: usize,
    /// Clock and channel of each payload, by slot.
    heads: Vec<(u64, usize)>,
    /// Payloads, by slot.
    words: Vec<u64>,
    /// Next slot to use.
    next: usize,
}

impl Latest {
    /// Room for `capacity` payloads of up to `stride` words.
    pub fn new(capacity: usize, stride: usize) -> Self {
        Self { capacity, stride, heads: Vec::new(), words: Vec::new(), next: 0 }
    }

    /// Keeps nothing.
    pub fn none() -> Self {
        Self::new(0, 0)
    }

    /// Keeps a payload, overwriting the oldest if full.
    #[inline]
    pub fn keep(&mut self, clock: u64, channel: usize, payload: &[u64]) {
        if self.capacity == 0 {
            return;
        }
        match self.heads.get_mut(self.next) {
            Some(head) => *head = (clock, channel),
            None => {
                self.heads.push((clock, channel));
                self.words.resize(self.heads.len() * self.stride, 0);
            }
        }
        let place = &mut self.words[self.next * self.stride..][..self.stride];
        place.iter_mut().zip(payload).for_each(|(to, from)| *to = *from);
        self.next = if self.next + 1 == self.capacity { 0 } else { self.next + 1 };
    }

    /// Clock, channel and slot of each payload, the latest last. A slot may be longer than the payload.
    pub fn iter(&self) -> impl Iterator<Item = (u64, usize, &[u64])> {
        let oldest = if self.heads.len() == self.capacity { self.next } else { 0 };
        let places = (oldest..self.heads.len()).chain(0..oldest);
        places.map(|place| {
            let (clock, channel) = self.heads[place];
            (clock, channel, &self.words[place * self.stride..][..self.stride])
        })
    }
}
