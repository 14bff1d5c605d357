//! The GPUs, what is current where, and the way of a group through them.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith_testbench::verilator::Warning;

use super::deal::{self, Dealer};
use super::gpupd::Batch;
use super::groups::{Group, Item, items};
use super::order;
use super::planted::Planted;
use super::report::{GroupReport, Report};
use super::seats::{Fault, Seats};
use super::watch::gpu;
use super::{Drawn, Settings, System, Wishes};
use crate::graphics::cores::Cores;
use crate::graphics::counts::Counts;
use crate::graphics::depth::Function;
use crate::graphics::frame::{Command, Draw, Frame};
use crate::graphics::gpu::{Attached, FARTHEST, Gpu};
use crate::graphics::picture::Picture;
use crate::graphics::rop::Rop;
use crate::graphics::tiles::{Blocks, Tiles};
use crate::graphics::viewport::DEPTH_MOST;

/// Bytes of a block's header.
pub(super) const HEADER: u64 = 8;
/// Pixels of a block.
pub(super) const BLOCK_PIXELS: u64 = 64;

/// Stale copies of a target.
#[derive(Debug)]
pub(super) struct Copies {
    pub(super) tiles: Tiles,
    /// Blocks that are current at their owner only.
    stale: Blocks,
    /// Blocks that were written since the last clear.
    touched: Blocks,
    /// Depth of all other blocks, if it is known.
    uniform: Option<u32>,
}

/// Several GPUs.
pub(super) struct Machine<'f> {
    pub(super) frame: &'f Frame,
    pub(super) settings: Settings,
    pub(super) gpus: Vec<Gpu>,
    pub(super) cores: Cores,
    pub(super) random: Xoshiro256PlusPlus,
    pub(super) copies: Vec<Copies>,
    pub(super) attached: Option<Attached>,
    pub(super) report: Report,
    pub(super) composition: Option<order::Scheduler>,
    pub(super) batch: Batch<'f>,
    pub(super) wishes: Wishes<'f>,
    seats: Seats,
    warnings: Vec<Warning>,
}

impl<'f> Machine<'f> {
    pub(super) fn new(
        frame: &'f Frame,
        settings: &Settings,
        wishes: Wishes<'f>,
    ) -> Result<Self, Fault> {
        let gpus = settings.gpus;
        let copies = frame.targets.iter().map(|target| {
            let tiles = Tiles { gpus, width: target.width, height: target.height };
            let none = Blocks::none(tiles.blocks());
            Copies { tiles, stale: none.clone(), touched: none, uniform: Some(FARTHEST >> 8) }
        });
        let schedules = settings.system == System::ChopinScheduled && gpus > 1;
        let mut seats = Seats::new(settings, wishes.rtl)?;
        let composition = schedules.then(|| seats.composition_scheduler()).transpose()?;
        let composition = composition.map(|place| order::Scheduler::new(place, gpus));
        let projection = if settings.system == System::Gpupd { gpus } else { 0 };
        let report =
            Report { projection: vec![Counts::default(); projection], ..Report::default() };
        let warnings = seats.take_warnings();
        Ok(Self {
            frame,
            settings: *settings,
            gpus: (0..gpus).map(|number| gpu(frame, number, wishes)).collect(),
            cores: Cores::new(frame),
            random: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            copies: copies.collect(),
            attached: None,
            report,
            composition,
            batch: Batch::default(),
            wishes,
            seats,
            warnings,
        })
    }

    /// Draws all of the frame.
    pub(super) fn run(mut self) -> Result<Drawn, Fault> {
        for item in items(self.frame, &self.settings)? {
            match item {
                Item::Command(command) => self.command(command)?,
                Item::Group(group) => self.group(&group)?,
            }
        }
        self.flush()?;
        self.report.compared_transfers += self.composition.as_ref().map_or(0, |it| it.compared());
        let mut counts = Counts::default();
        self.report.gpus = self.gpus.iter().map(|gpu| gpu.counts).collect();
        self.report.gpus.iter().for_each(|of_one| counts.add(of_one));
        self.gpus.iter_mut().for_each(Gpu::detach);
        let number = self.frame.picture;
        let Copies { tiles, .. } = self.copies[number];
        let mut pixels = vec![0; tiles.width as usize * tiles.height as usize];
        for block in 0..tiles.blocks() {
            let owner = tiles.owner_of_block(block);
            tiles.pixels(block).for_each(|at| pixels[at] = self.gpus[owner].targets[number][at]);
        }
        let view = self.wishes.view.map(|view| self.traces().view(view)).transpose()?;
        let picture = Picture { width: tiles.width, height: tiles.height, pixels, counts };
        Ok(Drawn { picture, report: self.report, view, warnings: self.warnings })
    }

    fn command(&mut self, command: &Command) -> Result<(), Fault> {
        self.flush()?;
        match *command {
            Command::Target { color, depth } => {
                self.broadcast_targets();
                let to = Attached { color, depth };
                let (frame, gpus) = (self.frame, self.settings.gpus);
                self.gpus.iter_mut().for_each(|gpu| gpu.attach(frame, to, gpus));
                self.attached = Some(to);
            }
            Command::Viewport(viewport) => {
                self.gpus.iter_mut().for_each(|gpu| gpu.set_viewport(viewport));
            }
            Command::Clear { color, depth, stencil } => {
                self.gpus.iter_mut().for_each(|gpu| gpu.clear(color, depth, stencil));
                self.cleared(color.is_some(), depth, stencil);
            }
            _ => {}
        }
        Ok(())
    }

    /// Copies that were cleared are current everywhere.
    fn cleared(&mut self, color: bool, depth: Option<u32>, stencil: Option<u8>) {
        let Some(to) = self.attached else { return };
        if color {
            self.copies[to.color].stale.clear();
        }
        let Some(number) = to.depth else { return };
        let copies = &mut self.copies[number];
        if depth.is_some() && stencil.is_some() {
            copies.stale.clear();
        }
        if depth.is_some() {
            (copies.uniform, _) = (depth, copies.touched.clear());
        }
    }

    /// At a switch all contents of the targets go to all (6.5).
    fn broadcast_targets(&mut self) {
        let Some(to) = self.attached else { return };
        for number in [Some(to.color), to.depth].into_iter().flatten() {
            let silent = self.settings.planted == Some(Planted::OneTargetBroadcastMissing);
            let sent = self.broadcast(number, silent.then_some(1));
            self.report.bytes.target_broadcasts += sent;
        }
    }

    /// Owners send what is stale to all others; the bytes.
    fn broadcast(&mut self, number: usize, silent: Option<usize>) -> u64 {
        let copies = &mut self.copies[number];
        let tiles = copies.tiles;
        let mut blocks = 0;
        for block in copies.stale.iter() {
            let owner = tiles.owner_of_block(block);
            if silent == Some(owner) {
                continue;
            }
            blocks += 1;
            let from = self.gpus[owner].target(number);
            let words: Vec<_> = tiles.pixels(block).map(|at| from[at]).collect();
            for gpu in &mut self.gpus {
                let to = gpu.target(number);
                tiles.pixels(block).zip(&words).for_each(|(at, word)| to[at] = *word);
            }
        }
        copies.stale.clear();
        blocks * (HEADER + 4 * BLOCK_PIXELS) * (self.settings.gpus as u64 - 1)
    }

    /// Before a group that reads depth or stencil which it does not write.
    fn broadcast_depth(&mut self, group: &Group<'_>) {
        let state = group.common.state();
        let is_equal = group.common.depth.is_some_and(|it| it.test == Function::Equal);
        let needed =
            state.reads_stencil() || state.reads_depth() && !state.writes_depth() || is_equal;
        let depth = self.attached.and_then(|to| to.depth).filter(|_| needed);
        if let Some(depth) = depth
            && self.settings.planted != Some(Planted::NoDepthBroadcast)
        {
            self.report.bytes.depth_broadcasts += self.broadcast(depth, None);
        }
    }

    pub(super) fn rop(&mut self, gpu: usize) -> &mut Rop {
        let rop = self.gpus[gpu].rop.as_mut();
        &mut rop.expect("draws come after a target").1
    }

    fn group(&mut self, group: &Group<'f>) -> Result<(), Fault> {
        if self.attached.is_none() {
            let name = &self.frame.name;
            return Err(format!("{name}: the first command is to be a target").into());
        }
        let duplicated = group.duplicated(&self.settings);
        self.report.groups.push(GroupReport::of(group, duplicated));
        if self.settings.system != System::Gpupd {
            self.begin_history(self.report.groups.len() as u32);
        }
        if self.settings.system == System::Gpupd {
            group.draws.iter().try_for_each(|draw| self.gather(draw))?;
            return Ok(());
        }
        if duplicated.is_some() {
            for gpu in 0..self.settings.gpus {
                for draw in &group.draws {
                    self.draw(gpu, draw, Some(gpu), 0..draw.triangles())?;
                    (self.wishes.tell)(draw.triangles().into());
                }
            }
            self.written(
                group.common.state().writes_depth() || group.common.state().writes_stencil(),
            );
            return Ok(());
        }
        self.broadcast_depth(group);
        match group.is_transparent() {
            true => self.transparent(group),
            false => self.opaque(group),
        }
    }

    /// Draws on one GPU.
    pub(super) fn draw(
        &mut self,
        gpu: usize,
        draw: &Draw,
        owner: Option<usize>,
        triangles: impl IntoIterator<Item = u32>,
    ) -> Result<(), String> {
        self.gpus[gpu].draw(self.frame, draw, &mut self.cores, owner, triangles)
    }

    /// Blocks that a GPU wrote are not current elsewhere any more.
    pub(super) fn written(&mut self, depth: bool) {
        let Some(to) = self.attached else { return };
        for gpu in 0..self.settings.gpus {
            let dirty = self.rop(gpu).dirty.clone();
            self.rop(gpu).dirty.clear();
            for block in dirty.iter() {
                self.copies[to.color].stale.insert(block);
                if let Some(number) = to.depth.filter(|_| depth) {
                    self.copies[number].stale.insert(block);
                    self.copies[number].touched.insert(block);
                }
            }
        }
    }

    /// Sub-images of an opaque group: own tiles as they are, all others untouched and far away.
    fn begin_sub_images(&mut self, group: &Group<'_>) {
        let state = group.common.state();
        let function = group.common.depth.map_or(Function::Always, |it| it.test);
        let Some(to) = self.attached else { return };
        let tiles = self.copies[to.color].tiles;
        let far = matches!(function, Function::Less | Function::Lequal | Function::Always);
        let far = if far { DEPTH_MOST } else { 0 };
        let fills = state.writes_depth() && function != Function::Equal;
        for gpu in 0..self.settings.gpus {
            let rop = self.rop(gpu);
            rop.numbers = vec![0; rop.color.len()];
            let others = (0..tiles.blocks()).filter(|it| fills && tiles.owner_of_block(*it) != gpu);
            for at in others.flat_map(|block| tiles.pixels(block)) {
                if let Some(word) = rop.depth.get_mut(at) {
                    *word = far << 8 | *word & 0xff;
                }
            }
        }
        let Some(number) = to.depth.filter(|_| fills) else { return };
        let copies = &mut self.copies[number];
        let is_as_cleared = copies.uniform == Some(far);
        let changed =
            (0..tiles.blocks()).filter(|it| !is_as_cleared || copies.touched.contains(*it));
        let changed: Vec<_> = changed.collect();
        changed.into_iter().for_each(|block| copies.stale.insert(block));
    }

    fn opaque(&mut self, group: &Group<'f>) -> Result<(), Fault> {
        self.begin_sub_images(group);
        let gpus = self.settings.gpus;
        let reports = self.settings.system != System::ChopinRoundRobin;
        let mut dealer = match reports {
            false => Dealer::RoundRobin(0, gpus),
            true => {
                let (place, draws) = (self.seats.draw_scheduler()?, group.draws.len());
                let scheduler = deal::Scheduler::new(place, gpus, group.triangles(), draws);
                Dealer::Scheduler(Box::new(scheduler))
            }
        };
        for (number, draw) in (1..).zip(&group.draws) {
            let triangles = draw.triangles();
            let gpu = dealer.next(triangles.into(), &mut self.random)?;
            let twice = self.settings.planted == Some(Planted::GrantedTwice) && number == 2;
            for gpu in [Some(gpu), twice.then_some((gpu + 1) % gpus)].into_iter().flatten() {
                self.rop(gpu).number = match self.settings.planted {
                    Some(Planted::LosesNumber) => 1,
                    _ => number,
                };
                self.draw(gpu, draw, None, 0..triangles)?;
                self.told(triangles.into());
                self.report.bytes.reports += if reports { 4 * u64::from(triangles) } else { 0 };
            }
        }
        self.report.compared_transfers += dealer.compared();
        self.compose_opaque(group)
    }

    fn transparent(&mut self, group: &Group<'f>) -> Result<(), Fault> {
        let gpus = self.settings.gpus as u64;
        let total = group.triangles();
        let runs = match self.settings.planted {
            Some(Planted::DealsRunsInTurn) => 4 * gpus,
            _ => gpus,
        };
        for gpu in 0..self.settings.gpus {
            let rop = self.rop(gpu);
            rop.lists = vec![Vec::new(); rop.tiles.blocks()];
        }
        for run in 0..runs {
            let range = [run * total / runs, (run + 1) * total / runs];
            let mut first = 0;
            for draw in &group.draws {
                let count = u64::from(draw.triangles());
                let [from, to] = range.map(|at| at.clamp(first, first + count) - first);
                self.draw((run % gpus) as usize, draw, None, from as u32..to as u32)?;
                self.told(to - from);
                first += count;
            }
        }
        self.compose_transparent(group)
    }
}
