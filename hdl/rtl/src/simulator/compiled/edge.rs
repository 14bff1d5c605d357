//! One clock: checks, covers, outputs, then everything that the edge overwrites.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::super::memory::lanes_of_word;
use super::super::noise::Noise;
use super::super::wide::top_mask;
use super::lower::Lower;
use super::plan::{Group, Part, Step, plan};
use crate::ir::{CheckKind, Collision};
use crate::netlist::{NetId, NetOp};
use crate::ports::words;

/// What the function returns if the clock is done,
pub(super) const DONE: i64 = 1;
/// and if a check fails: nothing was stored.
pub(super) const FAILED: i64 = 0;

impl Lower<'_> {
    /// The whole function. Returns the number of words of its notes.
    pub fn clock(mut self) -> usize {
        self.wake_clusters();
        self.checks();
        self.covers();
        self.outputs();
        self.begin_changes();
        plan(self.netlist, self.clusters).iter().for_each(|part| self.part(part));
        self.wake_readers();
        let done = self.b.ins().iconst(types::I64, DONE);
        self.b.ins().return_(&[done]);
        self.b.finalize();
        self.notes.words
    }

    /// Returns at once if a check fails.
    fn checks(&mut self) {
        let netlist = self.netlist;
        let guards = netlist.checks.iter().filter(|check| check.kind != CheckKind::Cover);
        let all = guards.fold(None, |all, check| {
            let holds = self.word(check.condition);
            Some(all.map_or(holds, |all| self.b.ins().band(all, holds)))
        });
        let Some(all) = all else { return };
        let [failed, sound] = [0; 2].map(|_| self.b.create_block());
        self.b.set_cold_block(failed);
        self.b.ins().brif(all, sound, &[], failed, &[]);
        self.b.seal_block(failed);
        self.b.switch_to_block(failed);
        let code = self.b.ins().iconst(types::I64, FAILED);
        self.b.ins().return_(&[code]);
        self.b.seal_block(sound);
        self.b.switch_to_block(sound);
    }

    fn covers(&mut self) {
        let netlist = self.netlist;
        let covers = netlist.checks.iter().filter(|check| check.kind == CheckKind::Cover);
        for (count, check) in (self.places.counts..).zip(covers) {
            let met = self.word(check.condition);
            let old = self.load(count);
            let new = self.b.ins().iadd(old, met);
            self.store(new, count);
        }
    }

    fn outputs(&mut self) {
        let netlist = self.netlist;
        let mut slot = self.places.outputs;
        for net in &netlist.outputs {
            for word in self.value(*net) {
                self.store(word, slot);
                slot += 1;
            }
        }
    }

    fn part(&mut self, part: &Part) {
        part.before.iter().for_each(|net| self.hold(*net));
        let groups = |this: &mut Self| part.groups.iter().for_each(|group| this.group(group));
        match part.cluster {
            Some(cluster) => self.while_awake(cluster, |this| this.waking(groups)),
            None => groups(self),
        }
    }

    fn group(&mut self, group: &Group) {
        group.before.iter().for_each(|net| self.hold(*net));
        let steps = |this: &mut Self| {
            for (step, before) in &group.steps {
                before.iter().for_each(|net| this.hold(*net));
                this.step(*step);
            }
        };
        match group.guard {
            Some((bit, wanted)) if !matches!(self.op(bit), NetOp::Const(_)) => {
                self.guarded(bit, wanted, |this| this.waking(steps));
            }
            Some((bit, wanted)) if self.is_one(bit) != wanted => {}
            _ => steps(self),
        }
    }

    fn is_one(&self, net: NetId) -> bool {
        matches!(self.op(net), NetOp::Const(value) if !value.is_zero())
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Register { present, next } => {
                let value = self.value(next);
                self.store_net(&value, present);
            }
            Step::Read { memory, port } => self.read(memory, port),
            Step::Write { memory, port } => self.write(memory, port),
        }
    }

    /// Overwrites a register or read data.
    fn store_net(&mut self, value: &[Value], net: NetId) {
        for (word, slot) in value.iter().zip(self.places.slot(net)..) {
            if self.clusters.read(net) {
                let old = self.load(slot);
                let change = self.b.ins().bxor(old, *word);
                self.changes(net, change);
            }
            self.store(*word, slot);
        }
    }

    /// The bit of an address beyond the memory, if its width allows such addresses.
    fn beyond(&mut self, memory: usize, address: NetId) -> Option<Value> {
        let rows = u64::from(self.netlist.memories[memory].rows);
        if self.width(address) < 64 && 1 << self.width(address) <= rows {
            return None;
        }
        let address = self.word(address);
        let rows = self.constant(rows);
        Some(self.compare(IntCC::UnsignedGreaterThanOrEqual, address, rows))
    }

    /// An enabled read.
    fn read(&mut self, number: usize, port: usize) {
        let memory = &self.netlist.memories[number];
        let read = memory.reads[port];
        let data = read.data.expect("only reads with data are planned");
        let mut undefined: Vec<Value> = self.beyond(number, read.address).into_iter().collect();
        if memory.collision == Collision::Undefined {
            for write in &memory.writes {
                let (a, b) = (self.word(read.address), self.word(write.address));
                let same = self.compare(IntCC::Equal, a, b);
                let enable = self.word(write.enable);
                undefined.push(self.b.ins().band(same, enable));
            }
        }
        let address = self.word(read.address);
        let load = |this: &mut Self| {
            let stride = words(memory.width);
            let row = this.row_address(this.places.contents[number].0, address, stride);
            let row: Vec<Value> = (0..stride).map(|word| this.load_at(row, word)).collect();
            this.store_net(&row, data);
        };
        if undefined.is_empty() {
            return load(self);
        }
        let undefined = self.any_of(&undefined);
        let [noise, row, after] = [0; 3].map(|_| self.b.create_block());
        self.b.set_cold_block(noise);
        self.b.ins().brif(undefined, noise, &[], row, &[]);
        self.b.seal_block(noise);
        self.b.seal_block(row);
        self.b.switch_to_block(noise);
        self.noise(number, data);
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(row);
        self.waking(load);
        self.b.ins().jump(after, &[]);
        self.b.seal_block(after);
        self.b.switch_to_block(after);
    }

    /// An enabled write.
    fn write(&mut self, number: usize, port: usize) {
        let memory = &self.netlist.memories[number];
        let write = memory.writes[port];
        let data = self.value(write.data);
        let lanes = write.lanes.map(|lanes| (lanes, self.value(lanes)));
        let address = self.word(write.address);
        let stride = words(memory.width);
        let store = |this: &mut Self| {
            let row = this.row_address(this.places.contents[number].0, address, stride);
            for (index, new) in data.into_iter().enumerate() {
                let clustered = !this.clusters.is_empty();
                let old = (clustered || lanes.is_some()).then(|| this.load_at(row, index));
                let new = match lanes.as_ref().zip(old) {
                    None => new,
                    Some(((net, lanes), old)) => {
                        let mask = this.lane_mask(number, index, *net, lanes);
                        let difference = this.b.ins().bxor(old, new);
                        let changed = this.b.ins().band(difference, mask);
                        this.b.ins().bxor(old, changed)
                    }
                };
                if let Some(old) = old.filter(|_| clustered) {
                    let change = this.b.ins().bxor(old, new);
                    this.changes_row(number, change);
                }
                this.store_at(new, row, index);
            }
        };
        let Some(beyond) = self.beyond(number, write.address) else { return store(self) };
        let [inside, after] = [0; 2].map(|_| self.b.create_block());
        self.b.ins().brif(beyond, after, &[], inside, &[]);
        self.b.seal_block(inside);
        self.b.switch_to_block(inside);
        self.waking(store);
        self.b.ins().jump(after, &[]);
        self.b.seal_block(after);
        self.b.switch_to_block(after);
    }

    /// The bits of word `index` of a row that are written.
    fn lane_mask(&mut self, number: usize, index: usize, net: NetId, lanes: &[Value]) -> Value {
        let memory = &self.netlist.memories[number];
        let lane_width = memory.width / memory.lanes;
        let mut parts = Vec::new();
        if lane_width == 1 {
            return lanes[index];
        }
        for (lane, bits) in lanes_of_word(memory.width, lane_width, index) {
            debug_assert!(lane < self.width(net));
            let word = lanes[lane as usize / 64];
            let shifted = self.b.ins().ushr_imm(word, i64::from(lane % 64));
            let bit = self.b.ins().band_imm(shifted, 1);
            let all = self.b.ins().ineg(bit);
            parts.push(self.b.ins().band_imm(all, bits as i64));
        }
        self.any_of(&parts)
    }

    /// Stores noise as read data. The memory's cluster stays awake to draw it again.
    fn noise(&mut self, memory: usize, data: NetId) {
        let (first, width) = (self.places.slot(data), self.width(data));
        self.waking(|this| {
            let change = this.constant(1);
            this.changes(data, change);
            this.changes_row(memory, change);
        });
        let mut state = self.load(self.places.noise);
        let last = first + words(width) as u32 - 1;
        for slot in first..=last {
            state = self.b.ins().iadd_imm(state, Noise::STEP as i64);
            let mut z = state;
            for (by, factor) in Noise::ROUNDS {
                let shifted = self.b.ins().ushr_imm(z, i64::from(by));
                let mixed = self.b.ins().bxor(z, shifted);
                z = self.b.ins().imul_imm(mixed, factor as i64);
            }
            let shifted = self.b.ins().ushr_imm(z, i64::from(Noise::LAST));
            let mut word = self.b.ins().bxor(z, shifted);
            if slot == last {
                word = self.b.ins().band_imm(word, top_mask(width) as i64);
            }
            self.store(word, slot);
        }
        self.store(state, self.places.noise);
    }
}
