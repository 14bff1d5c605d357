//! The SIMT stack: which lanes run where, and where they meet again.
//!
//! Lanes that diverge at a branch run one path after the other and go on together at the immediate
//! post-dominator. Lanes that return from a device function wait below for the others of their call.
//!
//! A barrier does not wait for lanes that leave the kernel without coming to it, and those may lie
//! below the lanes that have come. So where only a part of the warp comes to a barrier, that part
//! is set aside, and the others run first; they join it where they come to the same instruction. So it
//! is where an instruction names lanes that are not there. Lanes that turn in a loop for long give way to
//! the others, as if for a lock that these hold. Lanes that are aside keep their own frames.

use super::local::Local;
use super::registers::{Registers, Window};
use crate::isa::{Function, NOWHERE};

/// Lanes at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Path {
    /// Index of the next instruction.
    pub pc: u32,
    /// Where these lanes join the path below.
    pub reconverge: u32,
    /// The lanes.
    pub mask: u32,
    /// Calls above the kernel.
    pub depth: u32,
}

/// Registers and local memory of a kernel or of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) window: Window,
    /// End of its registers.
    pub(super) end: Window,
    /// Where its local memory begins.
    pub(super) local: u32,
    /// Where `alloca` begins.
    pub(super) fixed: u32,
    /// The call instruction.
    pub(super) call: u32,
}

/// Lanes that have their frames in common.
#[derive(Debug, Clone)]
struct Group {
    /// The last one runs first.
    paths: Vec<Path>,
    /// The kernel's, then one for each call.
    frames: Vec<Frame>,
}

/// The paths of a warp.
#[derive(Debug, Clone)]
pub(super) struct Stack {
    now: Group,
    /// Lanes that do not run; disjoint from each other and from those that do.
    aside: Vec<Aside>,
}

/// Lanes that do not run.
#[derive(Debug, Clone)]
struct Aside {
    group: Group,
    /// They wait for others to come to their instruction; else they have given way.
    waits: bool,
}

impl Group {
    /// Whether the path that runs has arrived or is empty.
    #[inline]
    fn is_over(&self) -> bool {
        self.paths.last().is_some_and(|path| path.mask == 0 || path.pc == path.reconverge)
    }

    fn lanes(&self) -> u32 {
        self.paths.iter().fold(0, |all, path| all | path.mask)
    }
}

impl Frame {
    /// Makes that of all lanes at the beginning of a kernel.
    pub(super) fn of_kernel(body: &Function, registers: &mut Registers, local: &mut Local) -> Self {
        let window = Window::default();
        let end = registers.enter(window, body.registers, u32::MAX);
        local.resize(u32::MAX, body.frame_bytes);
        Self { window, end, local: 0, fixed: body.frame_bytes, call: NOWHERE }
    }
}

impl Stack {
    /// All lanes of the mask at the beginning of a kernel.
    pub(super) fn new(entry: u32, mask: u32, frame: Frame) -> Self {
        let paths = vec![Path { pc: entry, reconverge: NOWHERE, mask, depth: 0 }];
        Self { now: Group { paths, frames: vec![frame] }, aside: Vec::new() }
    }

    /// The lanes that run.
    #[inline]
    pub(super) fn running(&self) -> u32 {
        self.now.paths.last().map_or(0, |path| path.mask)
    }

    /// The path that runs; none when all lanes have left.
    #[inline]
    pub(super) fn top(&self) -> Option<&Path> {
        self.now.paths.last()
    }

    /// All paths, the one that runs first.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        let aside = self.aside.iter().map(|aside| &aside.group);
        std::iter::once(&self.now).chain(aside).flat_map(|group| group.paths.iter().rev())
    }

    /// The frame that runs.
    #[inline]
    pub(super) fn frame(&self) -> &Frame {
        &self.now.frames[self.now.frames.len() - 1]
    }

    /// The frame of the caller, and the one that runs.
    pub(super) fn last_frames(&self) -> [Frame; 2] {
        let frames = &self.now.frames;
        [frames[frames.len().saturating_sub(2)], *self.frame()]
    }

    /// Lanes that have not left the kernel.
    pub(super) fn live(&self) -> u32 {
        self.paths().fold(0, |all, path| all | path.mask)
    }

    /// Whether lanes are at several places.
    #[inline]
    pub(super) fn is_diverged(&self) -> bool {
        self.now.paths.len() > 1 || !self.aside.is_empty()
    }

    /// Whether there are lanes that could run in the place of those that do.
    fn others_can_run(&self) -> bool {
        let running = self.running();
        self.now.paths.iter().any(|path| path.mask & !running != 0)
            || self.aside.iter().any(|aside| !aside.waits)
    }

    /// The paths of the lanes that run.
    fn running_paths(&self) -> impl Iterator<Item = Path> {
        let lanes = self.running();
        let paths = self.now.paths.iter().filter(move |path| path.mask & lanes != 0);
        paths.map(move |path| Path { mask: path.mask & lanes, ..*path })
    }

    /// The lanes that wait where those that run have come to, and will go on as these will.
    fn joined(&self) -> Option<usize> {
        let place = |path: Path| (path.pc, path.reconverge, path.depth);
        let is_it = |Aside { group, waits }: &Aside| {
            *waits
                && group.frames == self.now.frames
                && self.running_paths().map(place).eq(group.paths.iter().copied().map(place))
        };
        self.aside.iter().position(is_it)
    }

    /// The lanes that run wait where they are, with those that wait there already, and the others go on first, past the
    /// places where the two would have met; gives whether they can. They cannot when there are no others, or when
    /// all others wait elsewhere.
    pub(super) fn set_aside(&mut self) -> bool {
        match self.joined() {
            None if !self.others_can_run() => return false,
            None => self.put_aside(true),
            Some(at) => {
                let more: Vec<_> = self.running_paths().collect();
                let both = self.aside[at].group.paths.iter_mut().zip(more);
                both.for_each(|(path, more)| path.mask |= more.mask);
            }
        }
        self.stop_running();
        true
    }

    /// Where all groups wait, resumes one with none of the lanes `tried`; gives whether there is one.
    pub(super) fn resume_untried(&mut self, tried: u32) -> bool {
        let Some(next) = self.aside.iter().position(|aside| aside.group.lanes() & tried == 0)
        else {
            return false;
        };
        let next = self.aside.remove(next).group;
        let group = std::mem::replace(&mut self.now, next);
        self.aside.push(Aside { group, waits: true });
        true
    }

    fn put_aside(&mut self, waits: bool) {
        let group =
            Group { paths: self.running_paths().collect(), frames: self.now.frames.clone() };
        self.aside.push(Aside { group, waits });
    }

    /// Lanes that wait for others, each with the instruction that they wait at and their registers.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (u32, u32, Window)> {
        let waiting = self.aside.iter().filter(|aside| aside.waits);
        waiting.filter_map(|Aside { group, .. }| {
            Some((group.paths.last()?, group.frames.last()?.window))
                .map(|(path, window)| (path.pc, path.mask, window))
        })
    }

    /// Those of the lanes that wait go on behind their instructions, when the others let them.
    pub(super) fn go_past(&mut self, lanes: u32) {
        for aside in &mut self.aside {
            if let Some(path) = aside.group.paths.last_mut()
                && path.mask & lanes != 0
            {
                path.pc += 1;
                aside.waits = false;
            }
        }
    }

    /// The lanes that run let the others go on, past the places where they would have met, if there are any.
    pub(super) fn give_way(&mut self) {
        if self.others_can_run() {
            self.put_aside(false);
            self.stop_running();
        }
    }

    fn stop_running(&mut self) {
        let running = self.running();
        self.now.paths.iter_mut().for_each(|path| path.mask &= !running);
        self.settle();
    }

    /// Goes on with the instruction after; gives whether another frame may run.
    #[inline]
    pub(super) fn advance(&mut self) -> bool {
        if let Some(path) = self.now.paths.last_mut() {
            path.pc += 1;
        }
        self.settle()
    }

    /// Lanes of `taken` go to the target, the others to the instruction after; gives whether another frame may run.
    #[inline]
    pub(super) fn branch(&mut self, taken: u32, target: u32, reconverge: u32) -> bool {
        let Some(path) = self.now.paths.last_mut() else { return false };
        let others = path.mask & !taken;
        if others == 0 {
            path.pc = target;
        } else if taken == 0 {
            path.pc += 1;
        } else {
            let next = path.pc + 1;
            self.diverge([(target, taken), (next, others)], reconverge);
        }
        self.settle()
    }

    fn diverge(&mut self, ways: [(u32, u32); 2], reconverge: u32) {
        let Some(path) = self.now.paths.last_mut() else { return };
        let depth = path.depth;
        // Where the path below waits at the same place, or nothing waits, this one is not kept:
        // so a loop that lanes leave one by one does not let the stack grow.
        if path.reconverge == reconverge {
            self.now.paths.pop();
        } else {
            path.pc = reconverge;
        }
        for (pc, mask) in ways {
            if pc != reconverge {
                self.now.paths.push(Path { pc, reconverge, mask, depth });
            }
        }
    }

    /// The lanes of the mask begin a function; the path goes on after the call.
    pub(super) fn call(&mut self, entry: u32, mask: u32, frame: Frame) {
        let Some(path) = self.now.paths.last_mut() else { return };
        path.pc += 1;
        let depth = path.depth + 1;
        self.now.paths.push(Path { pc: entry, reconverge: NOWHERE, mask, depth });
        self.now.frames.push(frame);
    }

    /// As [`Stack::call`], and the other lanes execute the call instruction when these are back.
    pub(super) fn call_in_turn(&mut self, entry: u32, mask: u32, others: u32, frame: Frame) {
        let Some(path) = self.now.paths.last_mut() else { return };
        let (pc, depth) = (path.pc, path.depth);
        path.pc += 1;
        if others != 0 {
            self.now.paths.push(Path { pc, reconverge: pc + 1, mask: others, depth });
        }
        self.now.paths.push(Path { pc: entry, reconverge: NOWHERE, mask, depth: depth + 1 });
        self.now.frames.push(frame);
    }

    /// The lanes leave the function, whose other lanes go on.
    pub(super) fn leave_function(&mut self, mask: u32) {
        let Some(path) = self.now.paths.last_mut() else { return };
        path.pc += 1;
        let depth = path.depth;
        for path in self.now.paths.iter_mut().rev().take_while(|path| path.depth == depth) {
            path.mask &= !mask;
        }
        self.settle();
    }

    /// The lanes leave the kernel.
    pub(super) fn leave_kernel(&mut self, mask: u32) {
        if let Some(path) = self.now.paths.last_mut() {
            path.pc += 1;
        }
        self.now.paths.iter_mut().for_each(|path| path.mask &= !mask);
        self.settle();
    }

    /// The lanes that run begin a transaction, on a path of their own above the one that waits at the
    /// beginning; gives how many paths are below it.
    pub(super) fn begin_transaction(&mut self) -> usize {
        let begun = self.now.paths.last().map(|path| Path { reconverge: NOWHERE, ..*path });
        self.now.paths.extend(begun);
        self.now.paths.len() - 1
    }

    /// Whether the path that runs is the first above so many.
    pub(super) fn is_above(&self, below: usize) -> bool {
        self.now.paths.len() == below + 1
    }

    /// Lanes leave the paths above so many.
    pub(super) fn drop_lanes(&mut self, below: usize, lanes: u32) {
        self.now.paths.iter_mut().skip(below).for_each(|path| path.mask &= !lanes);
        self.settle();
    }

    /// The transaction above so many paths is over: its lanes go on, but those that retry it do so first.
    pub(super) fn end_transaction(&mut self, begin: u32, retry: u32, below: usize) {
        let after = self.now.paths.get(below).map(|path| path.pc);
        self.now.paths.truncate(below);
        // If all lanes have aborted, the path below is at the beginning.
        if let (Some(after), Some(path)) = (after, self.now.paths.last_mut()) {
            path.pc = after;
            let depth = path.depth;
            if retry != 0 {
                self.now.paths.push(Path { pc: begin, reconverge: after, mask: retry, depth });
            }
        }
        self.settle();
    }

    /// Drops paths that have arrived or are empty; gives whether there were any.
    #[inline(always)]
    fn settle(&mut self) -> bool {
        let is_over = self.now.is_over();
        if is_over {
            self.drop_paths();
        }
        is_over
    }

    fn drop_paths(&mut self) {
        while self.now.is_over() {
            self.now.paths.pop();
            if self.now.paths.is_empty() && !self.aside.is_empty() {
                // Those that wait go on when nobody else can.
                let lanes = |at: &usize| self.aside[*at].group.lanes().count_ones();
                let waiting = (0..self.aside.len()).max_by_key(lanes);
                let next = self.aside.iter().position(|aside| !aside.waits).or(waiting);
                self.now = self.aside.remove(next.unwrap_or_default()).group;
            }
        }
        let depth = self.top().map_or(0, |path| path.depth);
        self.now.frames.truncate(depth as usize + 1);
    }
}
