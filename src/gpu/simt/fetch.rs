//! Fetches from textures: the texels around a place are read one after the other, and weighed.

use std::sync::Arc;

use super::access::{Access, lanes_of};
use super::problem::Problem;
use super::registers::{LANES, Lanes, Window};
use super::step::Step;
use super::warp::{Surroundings, Warp};
use crate::isa::{AccessForm, AccessKind, Coordinates, Lookup, LookupKind, Space, TargetIn};
use crate::texture::{Object, WHOLE};

/// The texel that an access reads.
#[derive(Debug, Clone, Copy)]
pub(super) struct Texel {
    fetch: u32,
    tap: usize,
}

/// A texel in all lanes of a fetch.
#[derive(Debug)]
struct Taps {
    /// The number of its place: see [`Object::taps`].
    number: usize,
    /// Lanes that read it.
    lanes: u32,
    addresses: Lanes<u64>,
    weights: Lanes<u32>,
}

/// A fetch whose texels have not all been read.
#[derive(Debug)]
struct Fetch {
    number: u32,
    object: Arc<Object>,
    kind: LookupKind,
    lanes: u32,
    /// Where the registers of the lanes' frame begin.
    window: Window,
    targets: [Option<TargetIn>; 4],
    taps: Vec<Taps>,
    asked: usize,
    answered: usize,
    /// Results of lanes with one texel, and those lanes.
    bits: [Lanes<u32>; 4],
    alone: u32,
    /// Sums of the others with their weights.
    sums: [Lanes<f64>; 4],
}

/// Fetches of a warp. The last one may have texels that have not been asked for.
#[derive(Debug, Default)]
pub(super) struct Fetches {
    all: Vec<Fetch>,
    next: u32,
}

impl Fetch {
    /// Takes a texel.
    fn take(&mut self, tap: usize, data: &[Lanes<u64>; 4]) {
        let (taps, channels) = (&self.taps[tap], usize::from(self.object.channels));
        for lane in lanes_of(taps.lanes) {
            let channel = |at: usize| self.object.channel(data[at][lane]);
            if let LookupKind::Gather { channel: wanted, .. } = self.kind {
                let wanted = usize::from(wanted);
                // Against the clock, from the lower left.
                let at = [3, 2, 0, 1][taps.number];
                self.bits[at][lane] = match wanted < channels {
                    true => channel(wanted),
                    false => self.object.absent(wanted),
                };
                continue;
            }
            for at in 0..channels {
                let bits = channel(at);
                match taps.weights[lane] {
                    WHOLE => self.bits[at][lane] = bits,
                    weight => {
                        self.sums[at][lane] += f64::from(weight) * f64::from(f32::from_bits(bits));
                    }
                }
            }
            self.alone |= u32::from(taps.weights[lane] == WHOLE) << lane;
        }
    }

    /// The result of a channel.
    fn result(&self, channel: usize) -> Lanes<u32> {
        std::array::from_fn(|lane| {
            match self.alone >> lane & 1 != 0 || channel >= self.object.channels.into() {
                true => self.bits[channel][lane],
                false => ((self.sums[channel][lane] / f64::from(WHOLE)) as f32).to_bits(),
            }
        })
    }
}

impl Warp {
    /// True if some texels of the current instruction have been requested, and others not.
    pub fn is_fetching(&self) -> bool {
        self.fetches.all.last().is_some_and(|fetch| fetch.asked < fetch.taps.len())
    }

    /// Asks for the next texel of a fetch, in the lanes that look into the same texture as the first.
    pub(super) fn fetch(
        &mut self,
        form: &AccessForm,
        lookup: &Lookup,
        mask: u32,
        around: Surroundings,
        access: &mut Access,
    ) -> Result<Step, (Option<usize>, Problem)> {
        if !self.is_fetching() {
            self.refuse_in_transaction("a texture").map_err(|problem| (None, problem))?;
            self.begin_fetch(form, lookup, around, access)
                .map_err(|(lane, problem)| (Some(lane), problem))?;
        }
        let Some(fetch) = self.fetches.all.last_mut() else { return Ok(Step::Done) };
        let number = fetch.number;
        let tap = fetch.asked;
        let is_last = tap + 1 >= fetch.taps.len();
        self.left = if is_last { mask & !fetch.lanes } else { mask };
        fetch.asked += 1;
        let step = match fetch.taps.get(tap) {
            Some(taps) => {
                (access.kind, access.space) = (AccessKind::Load, Space::Global);
                (access.ty, access.elements) = (fetch.object.ty, fetch.object.channels);
                (access.mask, access.addresses) = (taps.lanes, taps.addresses);
                access.texel = Some(Texel { fetch: number, tap });
                Step::Access
            }
            None => {
                self.end_fetch(number);
                Step::Done
            }
        };
        self.advance_unless_left();
        Ok(step)
    }

    /// Finds the texels. The addresses of the access are handles.
    fn begin_fetch(
        &mut self,
        form: &AccessForm,
        lookup: &Lookup,
        around: Surroundings,
        access: &Access,
    ) -> Result<(), (usize, Problem)> {
        let (object, lanes) = self.object(lookup, around.image, around.objects, access)?;
        let coordinates = match lookup.kind {
            LookupKind::Texel { coordinates, .. } => coordinates,
            _ => Coordinates::Around,
        };
        let row = |source| self.row::<u32>(around.image, source);
        let at = lookup.at.map(row);
        let layers = lookup.layer.map_or(&[0; LANES], row);
        let mut taps: Vec<_> = (0..8).map(Taps::new).collect();
        for lane in lanes_of(lanes) {
            let found = object.taps(coordinates, at.map(|row| row[lane]), layers[lane]);
            for (taps, tap) in taps.iter_mut().zip(found) {
                let is_read = match coordinates {
                    Coordinates::Around => taps.number < 4,
                    _ => tap.weight != 0,
                };
                if let Some(address) = tap.address.filter(|_| is_read) {
                    taps.lanes |= 1 << lane;
                    (taps.addresses[lane], taps.weights[lane]) = (address, tap.weight);
                }
            }
        }
        taps.retain(|taps| taps.lanes != 0);
        let (alone, bits) = match coordinates {
            Coordinates::Around => (u32::MAX, [0; 4]),
            _ => (0, [0, 1, 2, 3].map(|channel| object.absent(channel))),
        };
        let number = self.fetches.next;
        self.fetches.next = number.wrapping_add(1);
        self.fetches.all.push(Fetch {
            number,
            object: object.clone(),
            kind: lookup.kind,
            lanes,
            window: access.window,
            targets: form.targets,
            taps,
            asked: 0,
            answered: 0,
            bits: bits.map(|bits| [bits; LANES]),
            alone,
            sums: [[0.0; LANES]; 4],
        });
        Ok(())
    }

    /// Takes a texel; gives whether it was the last of its fetch.
    pub(super) fn texel(&mut self, texel: Texel, access: &Access) -> bool {
        let fetch = self.fetches.all.iter_mut().find(|fetch| fetch.number == texel.fetch);
        let Some(fetch) = fetch else { return true };
        fetch.take(texel.tap, &access.data);
        fetch.answered += 1;
        let is_over = fetch.answered == fetch.taps.len();
        if is_over {
            self.end_fetch(texel.fetch);
        }
        is_over
    }

    /// Puts what a fetch comes to into its registers.
    fn end_fetch(&mut self, number: u32) {
        let Some(at) = self.fetches.all.iter().position(|fetch| fetch.number == number) else {
            return;
        };
        let fetch = self.fetches.all.remove(at);
        self.registers.within(fetch.window, |registers| {
            for (channel, target) in fetch.targets.into_iter().enumerate() {
                if let Some(target) = target {
                    registers.write(target.target, fetch.lanes, &fetch.result(channel));
                }
            }
        });
    }
}

impl Taps {
    fn new(number: usize) -> Self {
        Self { number, lanes: 0, addresses: [0; LANES], weights: [0; LANES] }
    }
}
