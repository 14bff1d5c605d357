//! Bulk copies, `st.async` and `red.async`: a warp only says what is to be moved.

use super::access::{Access, lanes_of};
use super::problem::Problem;
use super::step::Step;
use super::warp::{Surroundings, Warp};
use crate::isa::{AccessForm, AccessKind, BulkForm, Operation, Space, Type};

/// Bulk copies are of so many bytes, from and to multiples of it.
const UNIT: u32 = 16;

/// A place in memory.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Global or shared memory.
    pub space: Space,
    /// The CTA of the cluster whose shared memory it is, if it is another one.
    pub rank: Option<u32>,
    /// Address within.
    pub address: u64,
}

/// Bytes that a thread has moved for it.
#[derive(Debug, Clone)]
pub struct Transfer {
    /// The thread.
    pub lane: usize,
    /// Index of the instruction.
    pub pc: u32,
    /// Where the bytes come from; none where they have been sent.
    pub from: Option<Place>,
    /// The bytes that have been read or sent.
    pub data: Option<Vec<u8>>,
    /// Where they go.
    pub to: Place,
    /// Their number.
    pub bytes: u32,
    /// A store, or an atomic for each element.
    pub kind: AccessKind,
    /// Type of an element.
    pub ty: Type,
    /// The `mbarrier` that is told of their arrival.
    pub mbarrier: Option<Place>,
}

/// Steps of threads that have bytes moved for them.
#[derive(Debug, Clone)]
pub enum Bulk {
    /// Transfers begin.
    Begin(Vec<Transfer>),
    /// Lanes end a bulk group.
    Commit(u32),
    /// Lanes wait for all but the newest groups.
    Wait {
        /// The lanes.
        lanes: u32,
        /// Groups that they do not wait for.
        newest: u32,
        /// They wait only until the bytes have been read.
        reads: bool,
    },
}

impl Warp {
    /// Begins the transfers of all lanes, one for each CTA that gets the bytes; or lanes end a group, or wait.
    pub(super) fn bulk(
        &mut self,
        operation: &Operation,
        mask: u32,
        around: Surroundings,
    ) -> Result<Step, (Option<usize>, Problem)> {
        let form = match *operation {
            Operation::Bulk(ref form) => form,
            Operation::BulkWait { newest, reads } => {
                self.advance();
                return Ok(Step::Bulk(Bulk::Wait { lanes: mask, newest, reads }));
            }
            _ => {
                self.advance();
                return Ok(Step::Bulk(Bulk::Commit(mask)));
            }
        };
        self.refuse_in_transaction("an asynchronous copy").map_err(|problem| (None, problem))?;
        let mut transfers = Vec::new();
        for lane in lanes_of(mask) {
            let of_lane = self.transfers(form, lane, around);
            transfers.extend(of_lane.map_err(|problem| (Some(lane), problem))?);
        }
        self.advance();
        Ok(Step::Bulk(Bulk::Begin(transfers)))
    }

    fn transfers(
        &self,
        form: &BulkForm,
        lane: usize,
        around: Surroundings,
    ) -> Result<Vec<Transfer>, Problem> {
        let image = around.image;
        let bytes = self.row::<u32>(image, form.bytes)[lane];
        let mut access = Box::<Access>::default();
        let mut place = |form: &AccessForm, unit: u32| {
            self.fill_in(form, 1 << lane, image, &mut access);
            let (space, rank, address) = (access.space, access.rank, access.addresses[lane]);
            match address.is_multiple_of(unit.into()) {
                true => Ok(Place { space, rank, address }),
                false => Err(Problem::Misaligned { space, address, bytes: unit }),
            }
        };
        if form.from.is_some() && !bytes.is_multiple_of(UNIT) {
            return Err(Problem::BulkSize { bytes });
        }
        let from = form.from.as_ref().map(|from| place(from, UNIT)).transpose()?;
        let mbarrier = form.mbarrier.as_ref().map(|mbarrier| place(mbarrier, 8)).transpose()?;
        let to = place(&form.to, if from.is_some() { UNIT } else { bytes })?;
        let (size, pc) = (usize::from(form.to.ty.bytes), access.pc);
        let sent = access.data[..usize::from(form.to.elements)].iter();
        let sent = sent.flat_map(|data| data[lane].to_le_bytes().into_iter().take(size));
        let data = from.is_none().then(|| sent.collect());
        let (kind, ty) = (form.to.kind, form.to.ty);
        let one = Transfer { lane, pc, from, data, to, bytes, kind, ty, mbarrier };
        if let Some(told) = one.mbarrier
            && [told.space, to.space] != [Space::Shared; 2]
        {
            let outside = if told.space == Space::Shared { to } else { told };
            return Err(Problem::NotShared { address: outside.space.window() + outside.address });
        }
        let Some(ctas) = form.ctas else { return Ok(vec![one]) };
        let (ctas, all) =
            (self.registers.read_any(image, ctas)[lane], self.identity.cluster_size());
        let ranks = (0..16).filter(|rank| ctas >> rank & 1 != 0);
        let to_cta = |rank: u32| {
            let other = Some(rank).filter(|rank| *rank != self.identity.rank());
            let in_cta = |place| Place { rank: other, ..place };
            match rank < all {
                true => {
                    let mbarrier = one.mbarrier.map(in_cta);
                    Ok(Transfer { to: in_cta(one.to), mbarrier, ..one.clone() })
                }
                false => Err(Problem::NoCta { rank, ctas: all }),
            }
        };
        ranks.map(to_cta).collect()
    }
}
