//! Which registers an instruction reads and writes.

use super::forms::{BarrierKind, ShaderCall};
use super::operand::{Condition, Source, SourceIn, Target};
use super::operation::{Instruction, Operation};
use super::types::File;

/// A register that an instruction reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterUse {
    /// Its file.
    pub file: File,
    /// Its index in the file.
    pub index: u32,
    /// Whether it is written; else it is read.
    pub written: bool,
}

impl Instruction {
    /// Tells of every register that the instruction reads or writes; constants are none.
    pub fn registers(&self, see: impl FnMut(RegisterUse)) {
        let mut uses = Uses { see };
        if let Some(guard) = self.guard {
            uses.condition(guard);
        }
        uses.operation(&self.operation);
    }
}

struct Uses<F> {
    see: F,
}

impl<F: FnMut(RegisterUse)> Uses<F> {
    fn read(&mut self, file: File, sources: impl IntoIterator<Item = Source>) {
        for source in sources {
            if source.as_constant().is_none() {
                (self.see)(RegisterUse { file, index: source.index() as u32, written: false });
            }
        }
    }

    fn read_in(&mut self, source: SourceIn) {
        self.read(source.file, [source.source]);
    }

    fn condition(&mut self, condition: Condition) {
        self.read(File::Predicate, [condition.predicate]);
    }

    fn write(&mut self, file: File, targets: impl IntoIterator<Item = Target>) {
        for target in targets {
            (self.see)(RegisterUse { file, index: target.0, written: true });
        }
    }

    fn operation(&mut self, operation: &Operation) {
        use File::{Narrow, Predicate, Wide};
        match *operation {
            Operation::Integer1 { ty, d, a, .. } | Operation::Float1 { ty, d, a, .. } => {
                self.read(ty.file(), [a]);
                self.write(ty.file(), [d]);
            }
            Operation::Count { ty, d, a, .. } => {
                self.read(ty.file(), [a]);
                self.write(Narrow, [d]);
            }
            Operation::Integer2 { ty, d, ab, .. } | Operation::Float2 { ty, d, ab, .. } => {
                self.read(ty.file(), ab);
                self.write(ty.file(), [d]);
            }
            Operation::Widening { ty, d, a, b, c } => {
                let wide = if ty.bytes == 4 { Wide } else { Narrow };
                self.read(ty.file(), [a, b]);
                self.read(wide, c);
                self.write(wide, [d]);
            }
            Operation::Integer3 { ty, d, abc, .. }
            | Operation::Carry { ty, d, abc, .. }
            | Operation::Fused { ty, d, abc, .. } => {
                self.read(ty.file(), abc);
                self.write(ty.file(), [d]);
            }
            Operation::Shift { ty, d, a, amount, .. } => {
                self.read(ty.file(), [a]);
                self.read(Narrow, [amount]);
                self.write(ty.file(), [d]);
            }
            Operation::Extract { ty, d, a, position, length } => {
                self.read(ty.file(), [a]);
                self.read(Narrow, [position, length]);
                self.write(ty.file(), [d]);
            }
            Operation::Insert { ty, d, ab, position, length } => {
                self.read(ty.file(), ab);
                self.read(Narrow, [position, length]);
                self.write(ty.file(), [d]);
            }
            Operation::Bits3 { d, abc, .. } => {
                self.read(Narrow, abc);
                self.write(Narrow, [d]);
            }
            Operation::Compare { ty, combine, p, q, ab, .. } => {
                self.read(ty.file(), ab);
                combine.into_iter().for_each(|(_, with)| self.condition(with));
                self.write(Predicate, [p]);
                self.write(Predicate, q);
            }
            Operation::Spread { d, predicate, .. } => {
                self.read(Predicate, [predicate]);
                self.write(Narrow, [d]);
            }
            Operation::TestFloat { ty, p, a, .. } => {
                self.read(ty.file(), [a]);
                self.write(Predicate, [p]);
            }
            Operation::Select { file, d, ab, condition } => {
                self.read(file, ab);
                self.condition(condition);
                self.write(file, [d]);
            }
            Operation::SelectBySign { file, c, d, ab, by, .. } => {
                self.read(file, ab);
                self.read(c.file(), [by]);
                self.write(file, [d]);
            }
            Operation::Logic { p, a, b, .. } => {
                self.condition(a);
                self.condition(b);
                self.write(Predicate, [p]);
            }
            Operation::Pack { parts, d } => {
                self.read(Narrow, parts.parts.into_iter().take(parts.count.into()));
                self.write(parts.whole, [d]);
            }
            Operation::Unpack { parts, a } => {
                self.read(parts.whole, [a]);
                self.write(Narrow, parts.parts.into_iter().take(parts.count.into()).flatten());
            }
            Operation::Special { file, d, .. } | Operation::FrameAddress { file, d, .. } => {
                self.write(file, [d]);
            }
            Operation::Convert { d, a, .. } => {
                self.read_in(a);
                self.write(d.file, [d.target]);
            }
            Operation::Move { file, d, a }
            | Operation::ToGeneric { file, d, a, .. }
            | Operation::FromGeneric { file, d, a, .. } => {
                self.read(file, [a]);
                self.write(file, [d]);
            }
            Operation::IsSpace { p, a, .. } => {
                self.read_in(a);
                self.write(Predicate, [p]);
            }
            Operation::Map { file, d, a, rank, .. } => {
                self.read(file, [a]);
                self.read(Narrow, [rank]);
                self.write(file, [d]);
            }
            Operation::RankOf { file, d, a, .. } => {
                self.read(file, [a]);
                self.write(Narrow, [d]);
            }
            _ => self.other(operation),
        }
    }

    /// What reaches beyond the lane.
    fn other(&mut self, operation: &Operation) {
        use File::{Narrow, Predicate, Wide};
        match *operation {
            Operation::Query { d, handle, .. } => {
                self.read(Wide, [handle]);
                self.write(Narrow, [d]);
            }
            Operation::Access(ref form) => {
                self.read(Wide, form.base);
                form.lookup.iter().for_each(|lookup| self.read(Narrow, lookup.sources()));
                form.sources.iter().take(form.operands()).for_each(|source| self.read_in(*source));
                for target in form.targets.into_iter().flatten() {
                    self.write(target.file, [target.target]);
                }
            }
            Operation::Matrix(ref form) => {
                let file = |at: usize| form.fragments[at].element.in_register().0;
                for (at, sources) in form.sources.iter().enumerate() {
                    self.read(file(at), sources.iter().copied());
                }
                self.read(Narrow, form.sparsity.iter().map(|sparsity| sparsity.metadata));
                self.write(file(3), form.targets.iter().copied());
            }
            Operation::Transpose { d, a } => {
                self.read(Narrow, [a]);
                self.write(Narrow, [d]);
            }
            Operation::CheckIndex { index, .. } => self.read(Narrow, [index]),
            Operation::AllocateLocal { file, d, bytes, .. } => {
                self.read(file, [bytes]);
                self.write(file, [d]);
            }
            Operation::SaveLocal { file, d } => self.write(file, [d]),
            Operation::RestoreLocal { file, a } => self.read(file, [a]),
            Operation::MatrixAddress(ref form) => {
                self.read(Wide, form.base);
                self.read(Narrow, form.stride);
                self.write(Wide, [form.d]);
            }
            Operation::Copy(ref form) => {
                self.read(Wide, form.from.base);
                self.read(Wide, form.to.base);
                self.read(Narrow, form.read);
                form.ignored.into_iter().for_each(|ignored| self.condition(ignored));
            }
            Operation::Bulk(ref form) => {
                let forms = [form.from, form.mbarrier, Some(form.to)].into_iter().flatten();
                forms.for_each(|form| self.read(Wide, form.base));
                let sent = if form.from.is_none() { usize::from(form.to.elements) } else { 0 };
                form.to.sources.iter().take(sent).for_each(|source| self.read_in(*source));
                self.read(Narrow, [form.bytes]);
                form.ctas.into_iter().for_each(|ctas| self.read_in(ctas));
            }
            Operation::CopyArrive { ref mbarrier, .. } => self.read(Wide, mbarrier.base),
            Operation::Barrier { kind, id, threads, .. } => {
                self.read(Narrow, [id]);
                self.read(Narrow, threads);
                match kind {
                    BarrierKind::Sync | BarrierKind::Arrive => {}
                    BarrierKind::Popc(d, condition) => {
                        self.condition(condition);
                        self.write(Narrow, [d]);
                    }
                    BarrierKind::Reduce(_, p, condition) => {
                        self.condition(condition);
                        self.write(Predicate, [p]);
                    }
                }
            }
            Operation::WarpSync { members } => self.read(Narrow, [members]),
            Operation::Vote { p, a, members, .. } => {
                self.condition(a);
                self.read(Narrow, members);
                self.write(Predicate, [p]);
            }
            Operation::Ballot { d, a, members } => {
                self.condition(a);
                self.read(Narrow, members);
                self.write(Narrow, [d]);
            }
            Operation::Match { file, d, p, a, members, .. } => {
                self.read(file, [a]);
                self.read(Narrow, [members]);
                self.write(Narrow, [d]);
                self.write(Predicate, p);
            }
            Operation::Shuffle { d, p, abc, members, .. } => {
                self.read(Narrow, abc);
                self.read(Narrow, members);
                self.write(Narrow, [d]);
                self.write(Predicate, p);
            }
            Operation::CallIndirect(ref form) => self.read(Wide, [form.address]),
            Operation::Redux { d, a, members, .. } => {
                self.read(Narrow, [a, members]);
                self.write(Narrow, [d]);
            }
            Operation::Shader(call) => match call {
                ShaderCall::Input { number, d } => {
                    self.read(Narrow, [number]);
                    self.write(Narrow, d);
                }
                ShaderCall::Output { number, value } => self.read(Narrow, [number, value]),
                ShaderCall::Discard => {}
                ShaderCall::Texture { unit, u, v, bias, d } => {
                    self.read(Narrow, [unit, u, v, bias]);
                    self.write(Narrow, d);
                }
            },
            Operation::ActiveMask { d } => self.write(Narrow, [d]),
            _ => {}
        }
    }
}
