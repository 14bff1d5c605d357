//! Trees of statements for a recipe, from random numbers.

use warpsmith_rtl::{Bits, ModuleBuilder, Reg, Signal, Wire};

use super::recipe::{Act, Op, Recipe, width_from};

/// Numbers that determine a tree of statements; zeros once they are used up, which give the smallest tree.
pub struct Choices<'a>(pub &'a [u16]);

impl Choices<'_> {
    fn next(&mut self) -> u16 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }
}

impl Recipe {
    /// A tree of statements over two new wires and the existing registers.
    pub fn grow_tree(&mut self, choices: &mut Choices) {
        let widths = [width_from(choices.next()), width_from(choices.next())];
        // The wires' operands are made before the wires, so that there are no loops. Their numbers are known
        // afterwards.
        let placeholder = [usize::MAX - 1, usize::MAX];
        let mut targets: Vec<(usize, u32)> = placeholder.into_iter().zip(widths).collect();
        targets.extend(self.reset_values().iter().map(|(i, reset)| (*i, reset.width())));
        let mut acts = Vec::new();
        if !choices.next().is_multiple_of(3) {
            acts.extend((0..2).map(|i| self.set(choices, targets[i])));
            acts.extend(self.acts(choices, &targets, 0));
        } else {
            // Without a default: both wires are assigned on every path.
            let mut body = |recipe: &mut Self| {
                let mut acts: Vec<_> = (0..2).map(|i| recipe.set(choices, targets[i])).collect();
                acts.extend(recipe.acts(choices, &targets, 1));
                acts
            };
            let arms = [body(self), body(self)];
            let otherwise = body(self);
            let conditions = [self.bit(widths[0] as u16, 3), self.bit(widths[1] as u16, 5)];
            let arms = conditions.into_iter().zip(arms).collect();
            acts.push(Act::When(arms, Some(otherwise)));
        }
        let tree = self.trees.len();
        let wires = widths.map(|width| self.add(Op::Wire(tree), width));
        rename(&mut acts, &|i| match placeholder.iter().position(|p| *p == i) {
            Some(k) => wires[k],
            None => i,
        });
        self.trees.push(acts);
    }

    fn set(&mut self, choices: &mut Choices, (target, width): (usize, u32)) -> Act {
        let value = self.pick(choices.next());
        Act::Set(target, self.fit(value, width, choices.next()))
    }

    fn acts(&mut self, choices: &mut Choices, targets: &[(usize, u32)], depth: u32) -> Vec<Act> {
        let count = if depth > 3 { 1 } else { choices.next() % 3 + u16::from(depth == 0) };
        (0..count).map(|_| self.act(choices, targets, depth)).collect()
    }

    fn act(&mut self, choices: &mut Choices, targets: &[(usize, u32)], depth: u32) -> Act {
        let kind = if depth > 3 { 0 } else { choices.next() % 4 };
        match kind {
            0 => {
                let target = targets[usize::from(choices.next()) % targets.len()];
                self.set(choices, target)
            }
            1 | 2 => {
                let arms = 1 + choices.next() % 3;
                let arms = (0..arms).map(|_| {
                    let condition = self.bit(choices.next(), choices.next());
                    (condition, self.acts(choices, targets, depth + 1))
                });
                let arms = arms.collect();
                let rest = choices.next() % 2 == 1;
                Act::When(arms, rest.then(|| self.acts(choices, targets, depth + 1)))
            }
            _ => {
                let width = [1, 2, 2, 3, 6, 65][usize::from(choices.next()) % 6];
                let subject = self.pick(choices.next());
                let subject = self.fit(subject, width, choices.next());
                let mut arms: Vec<(Bits, Vec<Act>)> = Vec::new();
                for _ in 0..choices.next() % 5 {
                    let raw = u64::from(choices.next() % 64);
                    let value = Bits::from_words(width, &[raw]);
                    if arms.iter().all(|(v, _)| *v != value) {
                        arms.push((value, self.acts(choices, targets, depth + 1)));
                    }
                }
                let rest = choices.next() % 2 == 1;
                let default = rest.then(|| self.acts(choices, targets, depth + 1));
                Act::Switch(subject, arms, default)
            }
        }
    }
}

fn rename(acts: &mut [Act], new: &impl Fn(usize) -> usize) {
    for act in acts {
        match act {
            Act::Set(target, _) => *target = new(*target),
            Act::When(arms, rest) => {
                arms.iter_mut().for_each(|(_, acts)| rename(acts, new));
                rest.iter_mut().for_each(|acts| rename(acts, new));
            }
            Act::Switch(_, arms, rest) => {
                arms.iter_mut().for_each(|(_, acts)| rename(acts, new));
                rest.iter_mut().for_each(|acts| rename(acts, new));
            }
        }
    }
}

/// Writes statements to a circuit under construction.
pub struct Writer<'a, 'm> {
    pub m: &'m ModuleBuilder,
    pub signals: &'a [Signal<'m>],
    pub registers: &'a [(usize, Reg<'m>)],
    pub wires: &'a [(usize, Wire<'m>)],
}

impl Writer<'_, '_> {
    pub fn write(&self, acts: &[Act]) {
        for act in acts {
            match act {
                Act::Set(target, value) => {
                    let value = self.signals[*value];
                    match self.registers.iter().find(|(i, _)| i == target) {
                        Some((_, register)) => register.set(value),
                        None => {
                            let wire = self.wires.iter().find(|(i, _)| i == target);
                            wire.expect("a wire").1.set(value);
                        }
                    }
                }
                Act::When(arms, otherwise) => {
                    let mut arms = arms.iter();
                    let (condition, acts) = arms.next().expect("a first condition");
                    let mut when = self.m.when(self.signals[*condition], || self.write(acts));
                    for (condition, acts) in arms {
                        let condition = self.signals[*condition];
                        when = when.otherwise_when(condition, || self.write(acts));
                    }
                    if let Some(acts) = otherwise {
                        when.otherwise(|| self.write(acts));
                    }
                }
                Act::Switch(subject, arms, default) => {
                    self.m.switch(self.signals[*subject], |switch| {
                        for (value, acts) in arms {
                            switch.case(self.m.constant(value.clone()), || self.write(acts));
                        }
                        if let Some(acts) = default {
                            switch.default(|| self.write(acts));
                        }
                    });
                }
            }
        }
    }
}
