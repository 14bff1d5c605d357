//! Commands to the array, beside the requests and answers that they belong to.

use std::collections::VecDeque;

use super::Pending;
use crate::kit::*;
use crate::relativistic_l2::channels::{ArrayOp, Command, Kind, Op, Response};
use crate::relativistic_l2::rules;

/// An access of the array, or an answer that has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Access {
    op: ArrayOp,
    core: u64,
    tag: u64,
}

/// Outstanding stores, accesses and answers.
#[derive(Debug, Default)]
pub(super) struct Accesses {
    /// Stores that the array has not written.
    stores: VecDeque<Pending>,
    /// Answers whose access has not come, with their requests; accesses whose answer has not.
    answers: VecDeque<(Access, Pending)>,
    accesses: VecDeque<Access>,
}

impl Accesses {
    pub fn store(&mut self, pending: &Pending) {
        self.stores.push_back(*pending);
    }

    /// The array writes the bytes of a store.
    pub fn written(&mut self, command: &Command) -> Result<(), Violation> {
        let store = self.stores.pop_front();
        let is_its = store.is_some_and(|Pending { request, .. }| {
            (request.core, request.tag) == (command.core, command.tag)
        });
        rules::ACCESS_OF_ANSWER.require(is_its, || format!("{command:?} for {store:?}"))
    }

    /// The array reads a block, or performs an atomic.
    pub fn access(&mut self, command: &Command, pending: &[Pending]) -> Result<(), Violation> {
        let access = Access { op: command.op, core: command.core, tag: command.tag };
        let op = if command.op == ArrayOp::Read { Op::Gets } else { Op::Atomic };
        let is_its = |pending: &&Pending| {
            let request = pending.request;
            (request.op, request.core, request.tag) == (Some(op), command.core, command.tag)
        };
        let of = match self.answers.front() {
            Some((_, of)) => Some(*of),
            None => pending.iter().find(is_its).copied(),
        };
        if let Some(of) = of {
            let is_earlier = |store: &&Pending| store.block == of.block && store.event < of.event;
            let earlier = self.stores.iter().find(is_earlier);
            rules::READ_AFTER_STORES
                .require(earlier.is_none(), || format!("{command:?} before {earlier:?}"))?;
        }
        self.accesses.push_back(access);
        self.meet()
    }

    pub fn answer(&mut self, response: &Response, pending: &Pending) -> Result<(), Violation> {
        let op = match response.kind {
            Kind::Data => ArrayOp::Read,
            Kind::Result => ArrayOp::Atomic,
            Kind::Renew | Kind::Ack => return Ok(()),
        };
        let access = Access { op, core: response.core, tag: response.tag };
        self.answers.push_back((access, *pending));
        self.meet()
    }

    fn meet(&mut self) -> Result<(), Violation> {
        let (Some((due, _)), Some(access)) = (self.answers.front(), self.accesses.front()) else {
            return Ok(());
        };
        rules::ACCESS_OF_ANSWER.require(due == access, || format!("{access:?} for {due:?}"))?;
        self.answers.pop_front();
        self.accesses.pop_front();
        Ok(())
    }

    pub fn finish(&self) -> Result<(), Violation> {
        let none = self.stores.is_empty() && self.answers.is_empty() && self.accesses.is_empty();
        rules::ACCESS_OF_ANSWER.require(none, || format!("left: {self:?}"))
    }
}
