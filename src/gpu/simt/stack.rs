//! The SIMT stack: which lanes run where, and where they meet again.
//!
//! Lanes that diverge at a branch run one path after the other and go on together at the immediate
//! post-dominator. Device functions are frames on the same stack: lanes that return wait below for
//! the others.
//!
//! A barrier does not wait for lanes that leave the kernel without coming to it, and those may lie
//! below the lanes that have come. So where only a part of the warp comes to a barrier, that part
//! is set aside, and the others run first; they join it where they come to the same instruction. So it
//! is where an instruction names lanes that are not there. Lanes that turn in a loop for long give way to
//! the others, as if for a lock that these hold.

use crate::isa::NOWHERE;

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

/// The paths of a warp; of `paths` the last one runs.
#[derive(Debug, Clone, Default)]
pub(super) struct Stack {
    paths: Vec<Path>,
    /// Lanes that do not run; disjoint from each other and from `paths`.
    aside: Vec<Aside>,
}

/// Paths of lanes that do not run.
#[derive(Debug, Clone)]
struct Aside {
    paths: Vec<Path>,
    /// They wait for others to come to their instruction; else they have given way.
    waits: bool,
}

impl Stack {
    /// All lanes of the mask at the beginning of a kernel.
    pub(super) fn new(entry: u32, mask: u32) -> Self {
        Self {
            paths: vec![Path { pc: entry, reconverge: NOWHERE, mask, depth: 0 }],
            aside: Vec::new(),
        }
    }

    /// The lanes that run.
    #[inline]
    pub(super) fn running(&self) -> u32 {
        self.paths.last().map_or(0, |path| path.mask)
    }

    /// The path that runs; none when all lanes have left.
    #[inline]
    pub(super) fn top(&self) -> Option<&Path> {
        self.paths.last()
    }

    /// All paths, the one that runs first.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().rev().chain(self.aside.iter().flat_map(|aside| aside.paths.iter().rev()))
    }

    /// Lanes that have not left the kernel.
    pub(super) fn live(&self) -> u32 {
        self.paths().fold(0, |all, path| all | path.mask)
    }

    /// Whether lanes are at several places.
    #[inline]
    pub(super) fn is_diverged(&self) -> bool {
        self.paths.len() > 1 || !self.aside.is_empty()
    }

    /// Whether there are lanes that could run in the place of those that do. Within a function there are none, for all
    /// share its frame.
    fn others_can_run(&self) -> bool {
        let running = self.running();
        self.paths.iter().all(|path| path.depth == 0)
            && (self.paths.iter().any(|path| path.mask & !running != 0)
                || self.aside.iter().any(|aside| !aside.waits))
    }

    /// Whether [`Stack::set_aside`] can do that.
    pub(super) fn can_wait(&self) -> bool {
        self.others_can_run() || self.joined().is_some()
    }

    /// The paths of these lanes.
    fn paths_of(&self, lanes: u32) -> impl Iterator<Item = Path> {
        let paths = self.paths.iter().filter(move |path| path.mask & lanes != 0);
        paths.map(move |path| Path { mask: path.mask & lanes, ..*path })
    }

    /// The lanes that wait where those that run have come to, and will go on as these will.
    fn joined(&self) -> Option<usize> {
        let place = |path: Path| (path.pc, path.reconverge, path.depth);
        let is_it = |aside: &Aside| {
            aside.waits
                && self.paths_of(self.running()).map(place).eq(aside
                    .paths
                    .iter()
                    .copied()
                    .map(place))
        };
        self.aside.iter().position(is_it)
    }

    /// The lanes that run wait where they are, with those that wait there already, and the others go on first, past the
    /// places where the two would have met; gives whether they can. They cannot when there are no others, when
    /// all others wait elsewhere, or within a function.
    pub(super) fn set_aside(&mut self) -> bool {
        let joined = self.joined();
        if joined.is_none() && !self.others_can_run() {
            return false;
        }
        let waiting: Vec<_> = self.paths_of(self.running()).collect();
        match joined {
            None => self.aside.push(Aside { paths: waiting, waits: true }),
            Some(at) => {
                let both = self.aside[at].paths.iter_mut().zip(waiting);
                both.for_each(|(path, more)| path.mask |= more.mask);
            }
        }
        self.stop_running();
        true
    }

    /// Lanes that wait outside of functions, at places from which they leave the kernel, leave it; gives whether there
    /// are any.
    pub(super) fn let_leave(&mut self, leaves: impl Fn(u32) -> bool) -> bool {
        let (mut above, mut gone) = (0, 0);
        for path in self.paths.iter().rev() {
            // The first is the one that runs.
            if above != 0 && path.depth == 0 && leaves(path.pc) {
                gone |= path.mask & !above;
            }
            above |= path.mask;
        }
        self.paths.iter_mut().for_each(|path| path.mask &= !gone);
        gone != 0
    }

    /// Lanes that wait for others, each with the instruction that they wait at.
    pub(super) fn waiting(&self) -> impl Iterator<Item = (u32, u32)> {
        let waiting = self.aside.iter().filter(|aside| aside.waits);
        waiting.filter_map(|aside| aside.paths.last()).map(|path| (path.pc, path.mask))
    }

    /// Those of the lanes that wait go on behind their instructions, when the others let them.
    pub(super) fn go_past(&mut self, lanes: u32) {
        for aside in &mut self.aside {
            if let Some(path) = aside.paths.last_mut()
                && path.mask & lanes != 0
            {
                path.pc += 1;
                aside.waits = false;
            }
        }
    }

    /// The lanes that run let the others go on, past the places where they would have met; gives whether there are any.
    pub(super) fn give_way(&mut self) -> bool {
        let can = self.others_can_run();
        if can {
            let paths = self.paths_of(self.running()).collect();
            self.aside.push(Aside { paths, waits: false });
            self.stop_running();
        }
        can
    }

    fn stop_running(&mut self) {
        let running = self.running();
        self.paths.iter_mut().for_each(|path| path.mask &= !running);
        self.settle();
    }

    /// Goes on with the instruction after.
    #[inline]
    pub(super) fn advance(&mut self) {
        if let Some(path) = self.paths.last_mut() {
            path.pc += 1;
        }
        self.settle();
    }

    /// Lanes of `taken` go to the target, the others to the instruction after.
    #[inline]
    pub(super) fn branch(&mut self, taken: u32, target: u32, reconverge: u32) {
        let Some(path) = self.paths.last_mut() else { return };
        let others = path.mask & !taken;
        if others == 0 {
            path.pc = target;
        } else if taken == 0 {
            path.pc += 1;
        } else {
            let next = path.pc + 1;
            self.diverge([(target, taken), (next, others)], reconverge);
        }
        self.settle();
    }

    fn diverge(&mut self, ways: [(u32, u32); 2], reconverge: u32) {
        let Some(path) = self.paths.last_mut() else { return };
        let depth = path.depth;
        // Where the path below waits at the same place, or nothing waits, this one is not kept:
        // so a loop that lanes leave one by one does not let the stack grow.
        if path.reconverge == reconverge {
            self.paths.pop();
        } else {
            path.pc = reconverge;
        }
        for (pc, mask) in ways {
            if pc != reconverge {
                self.paths.push(Path { pc, reconverge, mask, depth });
            }
        }
    }

    /// The lanes of the mask begin a function; the path goes on after the call.
    pub(super) fn call(&mut self, entry: u32, mask: u32) {
        let Some(path) = self.paths.last_mut() else { return };
        path.pc += 1;
        let depth = path.depth + 1;
        self.paths.push(Path { pc: entry, reconverge: NOWHERE, mask, depth });
    }

    /// As [`Stack::call`], and the other lanes execute the call instruction when these are back.
    pub(super) fn call_in_turn(&mut self, entry: u32, mask: u32, others: u32) {
        let Some(path) = self.paths.last_mut() else { return };
        let (pc, depth) = (path.pc, path.depth);
        path.pc += 1;
        if others != 0 {
            self.paths.push(Path { pc, reconverge: pc + 1, mask: others, depth });
        }
        self.paths.push(Path { pc: entry, reconverge: NOWHERE, mask, depth: depth + 1 });
    }

    /// The lanes leave the function, whose other lanes go on; gives whether none are left in it.
    pub(super) fn leave_function(&mut self, mask: u32) -> bool {
        let Some(depth) = self.paths.last().map(|path| path.depth) else { return false };
        if let Some(path) = self.paths.last_mut() {
            path.pc += 1;
        }
        for path in self.paths.iter_mut().rev().take_while(|path| path.depth == depth) {
            path.mask &= !mask;
        }
        self.settle();
        self.paths.last().is_none_or(|path| path.depth < depth)
    }

    /// The lanes leave the kernel; gives how many frames are left by all lanes.
    pub(super) fn leave_kernel(&mut self, mask: u32) -> u32 {
        let depth = self.paths.last().map_or(0, |path| path.depth);
        if let Some(path) = self.paths.last_mut() {
            path.pc += 1;
        }
        self.paths.iter_mut().for_each(|path| path.mask &= !mask);
        self.settle();
        depth - self.paths.last().map_or(0, |path| path.depth)
    }

    /// The lanes that run begin a transaction, on a path of their own above the one that waits at the
    /// beginning; gives how many paths are below it.
    pub(super) fn begin_transaction(&mut self) -> usize {
        let begun = self.paths.last().map(|path| Path { reconverge: NOWHERE, ..*path });
        self.paths.extend(begun);
        self.paths.len() - 1
    }

    /// Whether the path that runs is the first above so many.
    pub(super) fn is_above(&self, below: usize) -> bool {
        self.paths.len() == below + 1
    }

    /// Lanes leave the paths above so many; gives how many frames are left by all lanes.
    pub(super) fn drop_lanes(&mut self, below: usize, lanes: u32) -> u32 {
        let depth = self.paths.last().map_or(0, |path| path.depth);
        self.paths.iter_mut().skip(below).for_each(|path| path.mask &= !lanes);
        self.settle();
        depth - self.paths.last().map_or(0, |path| path.depth)
    }

    /// The transaction above so many paths is over: its lanes go on, but those that retry it do so first.
    pub(super) fn end_transaction(&mut self, begin: u32, retry: u32, below: usize) {
        let after = self.paths.get(below).map(|path| path.pc);
        self.paths.truncate(below);
        // If all lanes have aborted, the path below is at the beginning.
        if let (Some(after), Some(path)) = (after, self.paths.last_mut()) {
            path.pc = after;
            let depth = path.depth;
            if retry != 0 {
                self.paths.push(Path { pc: begin, reconverge: after, mask: retry, depth });
            }
        }
        self.settle();
    }

    /// Drops paths that have arrived or are empty.
    #[inline]
    fn settle(&mut self) {
        while let Some(path) = self.paths.last()
            && (path.mask == 0 || path.pc == path.reconverge)
        {
            self.paths.pop();
            if self.paths.is_empty() && !self.aside.is_empty() {
                // Those that wait go on when nobody else can.
                let lanes =
                    |at: &usize| self.aside[*at].paths.iter().fold(0, |all, it| all | it.mask);
                let waiting = (0..self.aside.len()).max_by_key(|at| lanes(at).count_ones());
                let next = self.aside.iter().position(|aside| !aside.waits).or(waiting);
                self.paths = self.aside.remove(next.unwrap_or_default()).paths;
            }
        }
    }
}
