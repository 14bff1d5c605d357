//! What must hold whichever of several pairs goes first. It knows no table: each group is a list of the pairs
//! whose transfers are due.

use super::channels::{
    DONE, DONE_ERROR, ERROR, FINISHED, Finished, Misuse, NEVER_STARTED, START, Start, Transfer,
};
use super::corners;
use super::params::Params;
use super::rules;
use crate::kit::*;

/// Clocks for which a transfer that may start can wait until one is offered.
const PATIENCE: u32 = 2;

/// The run-time checks.
#[derive(Default)]
pub(super) struct CompositionContract {
    gpus: usize,
    cgids: u64,
    /// Groups that some GPU has finished and that have not ended.
    groups: Vec<Group>,
    /// Of each GPU how many groups it has finished.
    finished: Vec<u64>,
    under_way: Vec<UnderWay>,
    /// An offer has not been taken yet.
    offered: bool,
    /// A transfer may start, as far as is known from the last clock.
    may_start: bool,
    /// Clocks in which one might start, and none was offered.
    withheld: u32,
    error_due: Option<Misuse>,
    done_error_due: bool,
    started_last: bool,
    stalls: Stalls,
}

/// A composition group.
struct Group {
    /// Counted from 1.
    number: u64,
    transparent: bool,
    /// Whether each GPU composes it now.
    composes: Vec<bool>,
    /// Source and receiver of transfers that have not ended; a GPU to itself is the background.
    due: Vec<(usize, usize)>,
}

/// A transfer that was offered and has not ended.
struct UnderWay {
    src: usize,
    dst: usize,
    group: u64,
    taken: bool,
}

impl Group {
    fn new(number: u64, transparent: bool, gpus: usize) -> Self {
        let pairs = (0..gpus).flat_map(|src| (0..gpus).map(move |dst| (src, dst)));
        let due = pairs.filter(|(src, dst)| transparent || src != dst).collect();
        Self { number, transparent, composes: vec![false; gpus], due }
    }

    /// The rule that forbids the transfer, whatever else is under way.
    fn forbids(&self, src: usize, dst: usize) -> Option<Rule> {
        let is_due = self.due.contains(&(src, dst));
        let mut others = self.due.iter().filter(|&&(from, to)| to == dst && from != dst);
        if src == dst {
            let is_last = is_due && others.next().is_none();
            return (!is_last).then_some(rules::BACKGROUND_LAST);
        }
        if !is_due {
            return Some(rules::EACH_PAIR_ONCE);
        }
        let between = src.min(dst) + 1..src.max(dst);
        let is_apart = self.transparent && others.any(|(from, _)| between.contains(from));
        is_apart.then_some(rules::RUN_GROWS)
    }

    /// Pairs that are due, whose GPUs both compose the group.
    fn together(&self) -> impl Iterator<Item = (usize, usize)> {
        self.due.iter().copied().filter(|&(src, dst)| self.composes[src] && self.composes[dst])
    }
}

impl CompositionContract {
    pub(super) fn new(p: &Params) -> Self {
        Self {
            gpus: p.gpus as usize,
            cgids: 1 << p.cgid_bits,
            finished: vec![0; p.gpus as usize],
            stalls: Stalls::new(corners::STALLED),
            ..Self::default()
        }
    }

    /// The rule that forbids the transfer in the group.
    fn forbids(&self, group: &Group, src: usize, dst: usize) -> Option<Rule> {
        let mut to_dst = self.under_way.iter().filter(|way| way.dst == dst);
        let mut from_src = self.under_way.iter().filter(|way| way.src == src && way.dst != src);
        if to_dst.any(|way| way.src == src) {
            return Some(rules::EACH_PAIR_ONCE);
        }
        if self.under_way.iter().any(|way| way.dst == dst) {
            return Some(rules::ONE_SENDER);
        }
        if src != dst && from_src.next().is_some() {
            return Some(rules::ONE_RECEIVER);
        }
        group.forbids(src, dst)
    }

    fn may_start_in(&self, group: &Group) -> bool {
        group.together().any(|(src, dst)| self.forbids(group, src, dst).is_none())
    }

    fn check_errors(&mut self, channels: &Channels<'_>) -> Result<(), Violation> {
        let (error, done_error) = (channels.at(ERROR), channels.at(DONE_ERROR));
        let due = self.error_due.take().map(|misuse| misuse as u64);
        let raised = error.valid.then(|| error.payload[0]);
        rules::ERROR_AS_DUE
            .require(due == raised, || format!("due: {due:?}, raised: {raised:?}"))?;
        let due = std::mem::take(&mut self.done_error_due).then_some(NEVER_STARTED);
        let raised = done_error.valid.then(|| done_error.payload[0]);
        rules::DONE_ERROR_AS_DUE
            .require(due == raised, || format!("due: {due:?}, raised: {raised:?}"))
    }

    /// Looks at a start in the first clock in which it is offered.
    fn check_offer(&mut self, start: Start) -> Result<(), Violation> {
        let (src, dst) = (start.src as usize, start.dst as usize);
        let are_gpus = src < self.gpus && dst < self.gpus;
        let group =
            self.groups.iter().find(|group| are_gpus && group.composes[src] && group.composes[dst]);
        let group = group.filter(|group| group.number % self.cgids == start.cgid);
        let Some(group) = group else {
            return Err(rules::SAME_GROUP.broken(format!("{start} is offered")));
        };
        match self.forbids(group, src, dst) {
            Some(rule) => Err(rule.broken(format!("{start} is offered"))),
            None => {
                let way = UnderWay { src, dst, group: group.number, taken: false };
                self.under_way.push(way);
                Ok(())
            }
        }
    }

    fn check_progress(&mut self, is_offered: bool) -> Result<(), Violation> {
        self.withheld = if self.may_start && !is_offered { self.withheld + 1 } else { 0 };
        let detail = || "none is offered for the third clock".to_string();
        rules::NONE_WITHHELD.require(self.withheld <= PATIENCE, detail)
    }

    /// Looks at all groups after something has changed.
    fn look(&mut self) -> Result<(), Violation> {
        self.may_start = false;
        for group in &self.groups {
            let may_start = self.may_start_in(group);
            self.may_start |= may_start;
            let all_ready = group.together().count() == group.due.len();
            let goes_on = may_start || self.under_way.iter().any(|way| way.group == group.number);
            rules::GROUPS_END.require(!all_ready || goes_on, || {
                format!(
                    "group {} stands still with {} transfers due",
                    group.number,
                    group.due.len()
                )
            })?;
        }
        Ok(())
    }

    /// The index of the group that the GPU composes.
    fn group_of(&self, gpu: usize) -> Option<usize> {
        self.groups.iter().position(|group| group.composes[gpu])
    }

    fn finish_group(&mut self, Finished { gpu, transparent }: Finished) -> Result<(), Misuse> {
        let gpu = gpu as usize;
        let begun = *self.finished.get(gpu).ok_or(Misuse::NoSuchGpu)?;
        let composed = self.group_of(gpu).map(|at| self.groups[at].number);
        if composed.is_some_and(|number| number < begun) {
            return Err(Misuse::Third);
        }
        let number = begun + 1;
        match self.groups.iter().find(|group| group.number == number) {
            Some(group) if group.transparent != transparent => return Err(Misuse::OtherKind),
            Some(_) => {}
            None => self.groups.push(Group::new(number, transparent, self.gpus)),
        }
        self.finished[gpu] = number;
        if composed.is_none() {
            self.join(gpu, number);
        }
        Ok(())
    }

    fn join(&mut self, gpu: usize, number: u64) {
        for group in self.groups.iter_mut().filter(|group| group.number == number) {
            group.composes[gpu] = true;
        }
    }

    /// The GPUs whose group has ended with that transfer; none if it is not under way.
    fn end(
        &mut self,
        Transfer { src, dst }: Transfer,
        corners: &mut Corners,
    ) -> Option<Vec<usize>> {
        let (src, dst) = (src as usize, dst as usize);
        let to_dst = self.under_way.iter().position(|way| way.dst == dst);
        let Some(at) = to_dst.filter(|&at| self.under_way[at].src == src) else {
            let corner = match to_dst {
                Some(_) => corners::ERROR_DONE_SOURCE,
                None => corners::ERROR_DONE,
            };
            corners.hit(corner);
            return None;
        };
        if !self.under_way[at].taken {
            corners.hit(corners::ERROR_DONE_EARLY);
            return None;
        }
        self.under_way.swap_remove(at);
        let at = self.group_of(dst).expect("it receives in a group");
        let group = &mut self.groups[at];
        group.due.retain(|&pair| pair != (src, dst));
        let ends = |gpu: usize| !group.due.iter().any(|&(from, to)| from == gpu || to == gpu);
        let mut ended: Vec<_> = [src, dst].into_iter().filter(|&gpu| ends(gpu)).collect();
        ended.dedup();
        let number = group.number;
        for &gpu in &ended {
            self.groups[at].composes[gpu] = false;
            if self.finished[gpu] > number {
                self.join(gpu, number + 1);
            }
        }
        self.groups.retain(|group| !group.due.is_empty());
        Some(ended)
    }

    /// What comes at one clock, `finished` first.
    fn take(&mut self, finished: Option<Finished>, done: Option<Transfer>, corners: &mut Corners) {
        self.error_due = finished.and_then(|finished| self.finish_group(finished).err());
        let ended = done.map(|done| self.end(done, corners));
        self.done_error_due = matches!(ended, Some(None));
        corners.count(corners::DONE_AND_FINISHED, finished.is_some() && done.is_some());
        corners.count(corners::ERROR_BOTH, self.error_due.is_some() && self.done_error_due);
        if let (Some(finished), Some(Some(ended)), None) = (finished, ended, self.error_due) {
            let resets = ended.contains(&(finished.gpu as usize));
            corners.count(corners::FINISHED_AS_ENTRY_RESETS, resets);
        }
    }
}

impl Contract for CompositionContract {
    fn clock(&mut self, channels: &Channels<'_>, corners: &mut Corners) -> Result<(), Violation> {
        self.check_errors(channels)?;
        let start = channels.at(START);
        self.check_progress(start.valid)?;
        let is_new = start.valid && !self.offered;
        if is_new {
            self.check_offer(Start::decode(start.payload))?;
        }
        self.stalls.clock(channels, corners);
        corners.count(corners::START_EACH_CLOCK, start.fires() && self.started_last);
        self.started_last = start.fires();
        self.offered = start.valid && !start.ready;

        let finished = channels.taken(FINISHED).map(Finished::decode);
        let done = channels.taken(DONE).map(Transfer::decode);
        self.take(finished, done, corners);
        if start.fires() {
            self.under_way.iter_mut().for_each(|way| way.taken = true);
        }
        match is_new || finished.is_some() || done.is_some() {
            true => self.look(),
            false => Ok(()),
        }
    }
}
