//! From an instruction to a request to memory, and from the answer to registers.

use std::collections::BTreeSet;

use super::access::{Access, lanes_of};
use super::copies::in_shared;
use super::matrix::{collect, distribute};
use super::problem::Problem;
use super::registers::{Image, LANES, Lanes, Word};
use super::step::Step;
use super::warp::{Surroundings, Warp};
use crate::config::LINE;
use crate::isa::{
    AccessForm, AccessKind, AtomicOp, LookupKind, MAX_ELEMENTS, Operation, Order, Space,
};
use crate::texture::Objects;

impl Warp {
    /// Executes a load, store or atomic: fills in the request. Lanes whose generic addresses lie
    /// in another space than that of the first lane are left for another step.
    pub(super) fn access(
        &mut self,
        form: &AccessForm,
        mask: u32,
        around: Surroundings,
        access: &mut Access,
    ) -> Result<Step, (Option<usize>, Problem)> {
        if form.matrix.is_some() && mask != u32::MAX {
            if self.set_aside(mask) {
                return Ok(Step::Done);
            }
            self.all_lanes(mask, around).map_err(|problem| (None, problem))?;
        }
        self.fill_in(form, mask, around.image, access);
        let mut outside = 0;
        if let Some(lookup) = &form.lookup {
            if !matches!(lookup.kind, LookupKind::Bytes(_)) {
                return self.fetch(form, lookup, mask, around, access);
            }
            let found = self.on_surface(lookup, around.image, around.objects, access);
            outside = found.map_err(|(lane, problem)| (Some(lane), problem))?;
        }
        self.left = mask & !access.mask;
        if outside != 0 {
            self.leave_out(access, outside);
        }
        if let Some(rows) = form.matrix {
            access.mask &= u32::MAX >> (32 - 8 * rows.matrices);
            self.left = 0;
            if form.kind == AccessKind::Store {
                collect(rows, access);
            }
        }
        if let Some((lane, problem)) = misaligned(access) {
            return Err((Some(lane), problem));
        }
        if let AccessKind::Atomic(AtomicOp::Mbarrier(_)) = access.kind {
            in_shared(access).map_err(|(lane, problem)| (Some(lane), problem))?;
        }
        if access.mask == 0 {
            self.advance_unless_left();
            return Ok(Step::Done);
        }
        // Neither is undone if the lane aborts.
        let refused = match (form.kind, access.space) {
            (AccessKind::Atomic(_), _) => self.refuse_in_transaction("an atomic"),
            (AccessKind::Store, _) if form.lookup.is_some() => {
                self.refuse_in_transaction("a store to a surface")
            }
            (AccessKind::Store, Space::Shared) => {
                self.refuse_in_transaction("a store to shared memory")
            }
            _ => Ok(()),
        };
        refused.map_err(|problem| (None, problem))?;
        let private = matches!(access.space, Space::Local | Space::Param);
        let is_weak = access.order == Order::Weak;
        self.accessed.strongly |= !is_weak;
        self.accessed.weakly |= is_weak && matches!(access.space, Space::Global | Space::Shared);
        if private {
            self.private(around, access).map_err(|(lane, problem)| (Some(lane), problem))?;
            self.complete(access);
        }
        self.advance_unless_left();
        Ok(if private { Step::Private } else { Step::Access })
    }

    /// Goes on to the next instruction if no lane is left for another step.
    pub(super) fn advance_unless_left(&mut self) {
        if self.left == 0 {
            self.advance();
        }
    }

    pub(super) fn fill_in(&self, form: &AccessForm, mask: u32, image: &Image, access: &mut Access) {
        access.kind = form.kind;
        access.order = form.order;
        access.scope = self.scope(form.scope);
        access.ty = form.ty;
        access.elements = form.elements;
        access.targets = form.targets;
        (access.copy, access.matrix, access.texel) = (None, form.matrix, None);
        access.pc = self.stack.top().map_or(0, |path| path.pc);
        access.window = self.registers.window;
        let frame = if form.in_frame { u64::from(self.local_base()) } else { 0 };
        let offset = form.offset.wrapping_add(frame);
        match form.base {
            Some(base) => {
                let base = u64::row(&self.registers, image, base);
                for (address, base) in access.addresses.iter_mut().zip(base) {
                    *address = base.wrapping_add(offset);
                }
            }
            None => access.addresses = [offset; LANES],
        }
        (access.space, access.mask) = match form.space {
            Space::Generic => resolve(mask, &mut access.addresses),
            Space::Cluster => (Space::Shared, mask),
            space => (space, mask),
        };
        access.rank = None;
        if access.space == Space::Shared && self.identity.has_cluster() {
            self.find_owner(form.space == Space::Shared, access);
        }
        for (data, source) in access.data.iter_mut().zip(&form.sources).take(form.operands()) {
            *data = self.registers.read_any(image, *source);
        }
    }

    /// Lines of global memory that the next instruction accesses; of textures none.
    pub fn lines_of_next(&self, image: &Image, objects: &Objects) -> u32 {
        let Some((next, mask)) = self.next(image) else { return 0 };
        let Operation::Access(form) = &next.operation else { return 0 };
        let mut access = Box::<Access>::default();
        self.fill_in(form, mask, image, &mut access);
        let is_global = match &form.lookup {
            None => access.space == Space::Global,
            Some(lookup) if matches!(lookup.kind, LookupKind::Bytes(_)) => {
                self.on_surface(lookup, image, objects, &mut access).is_ok()
            }
            Some(_) => false,
        };
        if !is_global {
            return 0;
        }
        let lines: BTreeSet<_> =
            access.lanes().map(|lane| access.addresses[lane] / LINE as u64).collect();
        lines.len() as u32
    }

    /// Lanes of a request that no memory answers: what they load is zero, and the others are left.
    pub fn leave_out(&mut self, access: &mut Access, lanes: u32) {
        self.registers.within(access.window, |registers| {
            for target in access.targets.into_iter().flatten() {
                registers.write_any(target, access.ty, lanes, &mut [0; LANES]);
            }
        });
        for data in &mut access.data {
            lanes_of(lanes).for_each(|lane| data[lane] = 0);
        }
        access.mask &= !lanes;
    }

    /// Takes the answer of memory: what was loaded goes to the registers. False if they wait for other texels.
    pub fn complete(&mut self, access: &mut Access) -> bool {
        if let Some(texel) = access.texel {
            return self.texel(texel, access);
        }
        let mut mask = access.mask;
        if let Some(load) = access.matrix {
            distribute(load, access);
            mask = u32::MAX;
        }
        if let Some(copy) = access.copy {
            self.copies.read(copy, access);
        }
        self.registers.within(access.window, |registers| {
            for at in 0..MAX_ELEMENTS {
                if let Some(target) = access.targets[at] {
                    registers.write_any(target, access.ty, mask, &mut access.data[at]);
                }
            }
        });
        true
    }

    /// Does what concerns only the thread itself.
    fn private(
        &mut self,
        around: Surroundings,
        access: &mut Access,
    ) -> Result<(), (usize, Problem)> {
        let size = usize::from(access.ty.bytes);
        for lane in lanes_of(access.mask) {
            if let (Space::Local, AccessKind::Atomic(op)) = (access.space, access.kind) {
                let (address, bytes) = (access.addresses[lane], access.bytes() as usize);
                match self.local.get_mut(lane, address, bytes) {
                    Some(place) => super::atomic::perform(op, access, lane, place),
                    None => {
                        let at = (access.space, address);
                        return Err((lane, self.out_of_bounds(around, lane, at, bytes)));
                    }
                };
                continue;
            }
            for element in 0..usize::from(access.elements) {
                let address = access.addresses[lane].wrapping_add((element * size) as u64);
                let data = &mut access.data[element][lane];
                let at = (access.space, address);
                let beyond = || (lane, self.out_of_bounds(around, lane, at, size));
                match (access.space, access.kind) {
                    (Space::Param, AccessKind::Load) => {
                        let start = usize::try_from(address).unwrap_or(usize::MAX);
                        let end = start.saturating_add(size);
                        *data = word(around.parameters.get(start..end).ok_or_else(beyond)?);
                    }
                    (Space::Local, AccessKind::Load) => {
                        *data = word(self.local.get(lane, address, size).ok_or_else(beyond)?);
                    }
                    (Space::Local, _) => {
                        let value = data.to_le_bytes();
                        self.local.get(lane, address, size).ok_or_else(beyond)?;
                        if let Some(place) = self.local.get_mut(lane, address, size) {
                            place.copy_from_slice(&value[..size]);
                        }
                    }
                    (space, _) => return Err((lane, Problem::ReadOnly { space, address })),
                }
            }
        }
        Ok(())
    }

    fn out_of_bounds(
        &self,
        around: Surroundings,
        lane: usize,
        (space, address): (Space, u64),
        size: usize,
    ) -> Problem {
        let nearest = match space {
            Space::Param => format!("{} bytes of parameters", around.parameters.len()),
            _ => format!("the {} bytes of this thread", self.local.bytes(lane)),
        };
        Problem::OutOfBounds { space, address, bytes: size as u32, nearest }
    }
}

/// The space of the first lane's generic address, the lanes that have theirs in it, and addresses
/// within it.
fn resolve(mask: u32, addresses: &mut Lanes<u64>) -> (Space, u32) {
    let first = mask.trailing_zeros() as usize % LANES;
    let space = Space::of(addresses[first]);
    let window = space.window();
    let mut same = 0;
    for (lane, address) in addresses.iter_mut().enumerate() {
        same |= u32::from(Space::of(*address) == space) << lane;
        // Addresses of other lanes are made anew when their turn comes.
        *address = address.wrapping_sub(window);
    }
    (space, mask & same)
}

fn misaligned(access: &Access) -> Option<(usize, Problem)> {
    let bytes = access.bytes();
    let low = u64::from(bytes) - 1;
    let mut all = 0;
    for lane in 0..LANES {
        let counts = if access.mask & 1 << lane != 0 { low } else { 0 };
        all |= access.addresses[lane] & counts;
    }
    if all == 0 {
        return None;
    }
    let lane = access.lanes().find(|lane| access.addresses[*lane] & low != 0)?;
    let address = access.addresses[lane];
    Some((lane, Problem::Misaligned { space: access.space, address, bytes }))
}

fn word(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}
