//! The directory's circuit in the place of its reference, with the reference as shadow.

use std::collections::VecDeque;
use std::fmt;

use warpsmith_blocks::hmg_directory::{
    BLOCK, ERROR, INV, Invalidation, Op, Params, REQ, RESP, Request,
};
use warpsmith_testbench::mismatch::Mismatch;
use warpsmith_testbench::place::Place;

use super::directory::{Cause, Directory, DirectoryMismatch, Output};
use crate::config::Config;
use crate::memory::{Circuits, RtlError};

/// The directory of each GPM.
pub(super) fn places(config: &Config) -> Vec<String> {
    let (name, per_gpu) = (BLOCK.name, config.machine.gpms_per_gpu);
    let gpms = 0..config.machine.gpms();
    gpms.map(|gpm| format!("{name}@gpu{}.gpm{}", gpm / per_gpu, gpm % per_gpu)).collect()
}

/// The circuit of the directory of a GPM.
pub(super) fn directory(
    circuits: &Circuits<Params>,
    params: &Params,
    gpm: u32,
) -> Result<Box<dyn Directory>, RtlError> {
    let straps = [gpm % params.gpms_per_gpu, gpm / params.gpms_per_gpu].map(u64::from);
    let place = circuits.place(&straps)?;
    let (queue, under_way) = (VecDeque::new(), VecDeque::new());
    Ok(Box::new(Rtl { place, gpm, queue, under_way, mismatch: None }))
}

/// A directory's circuit in its place.
struct Rtl {
    place: Place,
    gpm: u32,
    /// Requests that it has not taken.
    queue: VecDeque<(Request, Cause)>,
    /// Outstanding requests.
    under_way: VecDeque<(Request, Cause)>,
    mismatch: Option<DirectoryMismatch>,
}

impl fmt::Debug for Rtl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RTL of the directory of GPM {}", self.gpm)
    }
}

impl Rtl {
    /// Handles the transfers of a clock.
    fn handle_transfers(&mut self, outputs: &mut Vec<Output>) -> Result<(), Box<Mismatch>> {
        let Self { place, queue, under_way, .. } = self;
        let transfer = |channel| place.transfers().find(|(c, _)| *c == channel).map(|(_, p)| p);
        if transfer(REQ).is_some() {
            under_way.extend(queue.pop_front());
        }
        if let Some(&[address, sharers]) = transfer(INV) {
            let cause = under_way.front().map_or(Cause::default(), |request| request.1);
            outputs.push(Output::Invalidate(Invalidation { address, sharers }, cause));
        }
        if transfer(RESP).is_some()
            && let Some((request, _)) = under_way.pop_front()
            && request.op == Some(Op::Release)
        {
            outputs.push(Output::Released);
        }
        // No request of ours is malformed.
        place.unexpected(ERROR).map_or(Ok(()), Err)
    }
}

impl Directory for Rtl {
    fn present(&mut self, request: &Request, cause: Cause, _: &mut Vec<Output>) {
        self.place.offer(REQ, &request.encode());
        self.queue.push_back((*request, cause));
    }

    fn clock(&mut self, outputs: &mut Vec<Output>) -> bool {
        self.place.await_answer(!self.under_way.is_empty());
        let clocked = self.place.clock(|_| false);
        if let Err(mismatch) = clocked.and_then(|()| self.handle_transfers(outputs)) {
            let (request, cause) = match self.under_way.front().or(self.queue.front()) {
                Some((request, cause)) => (Some(*request), *cause),
                None => (None, Cause::default()),
            };
            let (gpm, mismatch) = (self.gpm, *mismatch);
            self.mismatch = Some(DirectoryMismatch { gpm, request, cause, mismatch });
        }
        self.is_busy()
    }

    fn is_busy(&self) -> bool {
        let waits = !self.queue.is_empty() || !self.under_way.is_empty();
        waits && self.mismatch.is_none()
    }

    fn compared(&self) -> u64 {
        self.place.compared()
    }

    fn mismatch(&self) -> Option<&DirectoryMismatch> {
        self.mismatch.as_ref()
    }
}
