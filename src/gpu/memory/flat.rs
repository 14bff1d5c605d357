//! Memory without caches and without time: a request is answered at once.

use super::Device;
use crate::isa::{AccessKind, AtomicOp, MbarrierOp, Space};
use crate::simt::{Access, Problem, operate, perform};

/// Global memory, shared memory of each CTA that runs, and const memory.
#[derive(Debug, Default)]
pub struct Flat {
    /// Global memory.
    pub device: Device,
    constants: Vec<u8>,
    shared: Vec<CtaMemory>,
}

/// Shared memory of a CTA: what the kernel declares, and from `dynamic_base` what the launch adds.
#[derive(Debug, Default, Clone)]
struct CtaMemory {
    bytes: Vec<u8>,
    fixed: usize,
    dynamic_base: usize,
    has_ended: bool,
}

impl Flat {
    /// Memory with these constants.
    pub fn new(device: Device, constants: &[u8]) -> Self {
        Self { device, constants: constants.to_vec(), shared: Vec::new() }
    }

    /// Gives a CTA fresh shared memory.
    pub fn begin_cta(&mut self, cta: usize, fixed: u32, dynamic_base: u32, dynamic: u32) {
        if self.shared.len() <= cta {
            self.shared.resize(cta + 1, CtaMemory::default());
        }
        let [fixed, dynamic_base, dynamic] = [fixed, dynamic_base, dynamic].map(|it| it as usize);
        let end = if dynamic == 0 { fixed } else { dynamic_base + dynamic };
        let shared = &mut self.shared[cta];
        shared.bytes.clear();
        shared.bytes.resize(end, 0);
        (shared.fixed, shared.dynamic_base) = (fixed, dynamic_base);
        shared.has_ended = false;
    }

    /// A CTA has ended: its shared memory is nobody's.
    pub fn end_cta(&mut self, cta: usize) {
        if let Some(shared) = self.shared.get_mut(cta) {
            shared.has_ended = true;
        }
    }

    /// Whether a CTA has ended, and no other has its place.
    pub fn has_ended(&self, cta: usize) -> bool {
        self.shared.get(cta).is_some_and(|shared| shared.has_ended)
    }

    /// Answers a request for global, shared or const memory of a warp of a CTA. On a problem, the
    /// lane it is in.
    pub fn access(&mut self, cta: usize, access: &mut Access) -> Result<(), (usize, Problem)> {
        let bytes = access.bytes() as usize;
        match access.space {
            Space::Const if access.writes() => {
                let lane = access.mask.trailing_zeros() as usize % 32;
                let address = access.addresses[lane];
                Err((lane, Problem::ReadOnly { space: Space::Const, address }))
            }
            Space::Const => {
                let constants = &mut self.constants;
                let place = |address| within(constants.len(), address, bytes);
                let problem = |address| outside(Space::Const, address, bytes, constants.len());
                let places = places(access, place, problem)?;
                transfer(access, constants, &places);
                Ok(())
            }
            Space::Shared => {
                let Some(shared) = self.shared.get_mut(cta) else { return Ok(()) };
                let place = |address| shared.place(address, bytes);
                let most = shared.bytes.len();
                let places =
                    places(access, place, |address| outside(Space::Shared, address, bytes, most))?;
                if let AccessKind::Atomic(AtomicOp::Mbarrier(op)) = access.kind {
                    return mbarrier(op, access, &mut shared.bytes, &places);
                }
                transfer(access, &mut shared.bytes, &places);
                Ok(())
            }
            _ => {
                let device = &self.device;
                let place = |address| device.place(address, bytes);
                let places = places(access, place, |address| device.out_of_bounds(address, bytes))?;
                transfer(access, self.device.contents(), &places);
                Ok(())
            }
        }
    }

    /// The lanes of a request whose addresses nothing has.
    pub fn outside(&self, cta: usize, access: &Access) -> u32 {
        let bytes = access.bytes() as usize;
        let is_outside = |lane: &usize| {
            let address = access.addresses[*lane];
            let place = match access.space {
                Space::Const => within(self.constants.len(), address, bytes),
                Space::Shared => self.shared.get(cta).and_then(|it| it.place(address, bytes)),
                _ => self.device.place(address, bytes),
            };
            place.is_none()
        };
        access.lanes().filter(is_outside).fold(0, |lanes, lane| lanes | 1 << lane)
    }

    /// The text that ends with a zero byte at a generic address of global or const memory; none
    /// outside of what is allocated.
    pub fn text(&self, address: u64) -> Option<&[u8]> {
        let rest = match Space::of(address) {
            Space::Global => self.device.rest(address)?,
            Space::Const => {
                let at = usize::try_from(address - Space::Const.window()).ok()?;
                self.constants.get(at..)?
            }
            _ => return None,
        };
        let end = rest.iter().position(|byte| *byte == 0)?;
        Some(&rest[..end])
    }
}

impl CtaMemory {
    #[inline]
    fn place(&self, address: u64, bytes: usize) -> Option<usize> {
        let at = within(self.bytes.len(), address, bytes)?;
        (at + bytes <= self.fixed || at >= self.dynamic_base).then_some(at)
    }
}

#[inline]
fn within(length: usize, address: u64, bytes: usize) -> Option<usize> {
    let at = usize::try_from(address).ok()?;
    (at.checked_add(bytes)? <= length).then_some(at)
}

fn outside(space: Space, address: u64, bytes: usize, length: usize) -> Problem {
    let nearest = match space {
        Space::Shared => format!("the {length} bytes of this CTA"),
        _ => format!("the {length} bytes of the module"),
    };
    Problem::OutOfBounds { space, address, bytes: bytes as u32, nearest }
}

/// Where each lane's bytes lie. All are known before any is changed.
#[inline]
fn places(
    access: &Access,
    place: impl Fn(u64) -> Option<usize>,
    problem: impl Fn(u64) -> Problem,
) -> Result<[usize; 32], (usize, Problem)> {
    let mut places = [0; 32];
    for lane in access.lanes() {
        let address = access.addresses[lane];
        places[lane] = place(address).ok_or_else(|| (lane, problem(address)))?;
    }
    Ok(places)
}

/// Moves the data, lane after lane.
fn transfer(access: &mut Access, contents: &mut [u8], places: &[usize; 32]) {
    match (access.kind, access.ty.bytes) {
        (AccessKind::Load, 1) => load::<1>(access, contents, places),
        (AccessKind::Load, 2) => load::<2>(access, contents, places),
        (AccessKind::Load, 4) => load::<4>(access, contents, places),
        (AccessKind::Load, _) => load::<8>(access, contents, places),
        (AccessKind::Store, 1) => store::<1>(access, contents, places),
        (AccessKind::Store, 2) => store::<2>(access, contents, places),
        (AccessKind::Store, 4) => store::<4>(access, contents, places),
        (AccessKind::Store, _) => store::<8>(access, contents, places),
        (AccessKind::Atomic(op), _) => atomic(op, access, contents, places),
    }
}

fn load<const N: usize>(access: &mut Access, contents: &[u8], places: &[usize; 32]) {
    for (element, data) in access.data.iter_mut().take(access.elements.into()).enumerate() {
        for lane in crate::simt::lanes_of(access.mask) {
            let at = places[lane] + element * N;
            data[lane] = word::<N>(&contents[at..at + N]);
        }
    }
}

fn store<const N: usize>(access: &mut Access, contents: &mut [u8], places: &[usize; 32]) {
    for (element, data) in access.data.iter().take(access.elements.into()).enumerate() {
        for lane in access.lanes() {
            let at = places[lane] + element * N;
            contents[at..at + N].copy_from_slice(&data[lane].to_le_bytes()[..N]);
        }
    }
}

fn atomic(op: AtomicOp, access: &mut Access, contents: &mut [u8], places: &[usize; 32]) {
    let bytes = access.bytes() as usize;
    for lane in access.lanes() {
        perform(op, access, lane, &mut contents[places[lane]..places[lane] + bytes]);
    }
}

/// The lanes' operations on mbarriers, one after the other.
fn mbarrier(
    op: MbarrierOp,
    access: &mut Access,
    contents: &mut [u8],
    places: &[usize; 32],
) -> Result<(), (usize, Problem)> {
    for lane in access.lanes() {
        let place = &mut contents[places[lane]..places[lane] + 8];
        let done = operate(op, word::<8>(place), access.data[0][lane]);
        let address = access.addresses[lane];
        let [new, result] = done.map_err(|what| (lane, Problem::Mbarrier { address, what }))?;
        place.copy_from_slice(&new.to_le_bytes());
        access.data[0][lane] = result;
    }
    Ok(())
}

#[inline]
fn word<const N: usize>(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..N].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
