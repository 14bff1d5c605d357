//! Random circuits from random numbers.

use proptest::prelude::*;
use warpsmith_rtl::{Bits, Collision, Module, ModuleBuilder, Signal};

/// Numbers from which a circuit is made: an operator, operands, a parameter.
pub type Gene = (u8, u16, u16, u16, u16);

pub fn genes(count: usize) -> impl Strategy<Value = Vec<Gene>> {
    prop::collection::vec(any::<Gene>(), 1..count)
}

fn fit<'m>(signal: Signal<'m>, width: u32) -> Signal<'m> {
    match signal.width() {
        w if w < width => signal.zero_extend(width),
        w if w > width => signal.truncate(width),
        _ => signal,
    }
}

/// One more signal, from those there are.
fn grow<'m>(m: &'m ModuleBuilder, pool: &[Signal<'m>], gene: Gene, max_width: u32) -> Signal<'m> {
    let (kind, a, b, c, parameter) = gene;
    let pick = |i: u16| pool[pool.len() - 1 - i as usize % pool.len()];
    let (a, parameter) = (pick(a), u32::from(parameter));
    let same = |i: u16| fit(pick(i), a.width());
    let bit = |i: u16| pick(i).bit(parameter % pick(i).width());
    match kind % 29 {
        0 => !a,
        1 => a.all(),
        2 => a.any(),
        3 => a.parity(),
        4 => a & same(b),
        5 => a | same(b),
        6 => a ^ same(b),
        7 => a + same(b),
        8 => a - same(b),
        9 => a * same(b),
        10 => a.eq(same(b)),
        11 => a.ne(same(b)),
        12 => a.lt(same(b)),
        13 => a.le(same(b)),
        14 => a.lt_signed(same(b)),
        15 => a.le_signed(same(b)),
        16 => a.shift_left(pick(b)),
        17 => a.shift_right(pick(b)),
        18 => a.shift_right_signed(pick(b)),
        19 => bit(b).mux(a, same(c)),
        20 => {
            let compared = match parameter % 4 {
                0 => a.eq(same(b)),
                1 => a.ne(same(b)),
                2 => a.lt(same(b)),
                _ => a.le(same(b)),
            };
            compared.mux(pick(c), fit(pick(b), pick(c).width()))
        }
        21 => {
            m.constant(Bits::from_fn(1 + parameter % max_width, |i| (parameter * (i + 3)) & 8 != 0))
        }
        22 => a.slice(parameter % a.width()..a.width()),
        23 => bit(b) & !bit(c) & a.any(),
        24 => bit(b) ^ bit(c) ^ a.bit(0) ^ a.bit(a.width() - 1),
        25 => {
            let row = |i: u32| Bits::from_fn(a.width(), |j| ((j + i) * parameter) & 4 != 0);
            let bits: Vec<_> = (0..3).map(|i| (a & m.constant(row(i))).parity()).collect();
            m.concat(&bits)
        }
        26 => {
            let odd = m.constant(Bits::from_fn(a.width(), |j| j % 2 == 1));
            let part = (a & odd).slice(parameter % a.width()..a.width());
            fit(m.concat(&[part.parity(), part]), part.width().max(2))
        }
        _ => {
            let (b, c) = (pick(b), pick(c));
            let width = a.width() + b.width() + c.width();
            let joined = m.concat(&[a, b, c, a.parity()]);
            if width < max_width { joined } else { joined.truncate(max_width.min(width)) }
        }
    }
}

/// A module of random expressions, wires and registers under random conditions.
pub fn circuit(
    widths: &[u32],
    expressions: &[Gene],
    statements: &[Gene],
    max_width: u32,
) -> Module {
    let m = ModuleBuilder::new("random");
    let mut pool = Vec::new();
    for (i, width) in widths.iter().enumerate() {
        pool.push(m.input(&format!("input_{i}"), *width));
    }
    let mut regs = Vec::new();
    for (i, width) in widths.iter().enumerate() {
        let name = format!("register_{i}");
        let reset = i % 3 != 0;
        regs.push(if reset { m.reg(&name, *width, 1) } else { m.reg_without_reset(&name, *width) });
    }
    pool.extend(regs.iter().map(|r| **r));
    for (i, gene) in expressions.iter().enumerate() {
        let signal = grow(&m, &pool, *gene, max_width);
        let signal = if gene.4 % 5 == 0 { signal.named(&format!("named_{i}")) } else { signal };
        pool.push(signal);
    }
    for (i, gene) in statements.iter().enumerate() {
        let pick = |i: u16| pool[i as usize % pool.len()];
        let wire = m.wire(&format!("wire_{i}"), pick(gene.1).width());
        wire.set(pick(gene.1));
        let reg = regs[i % regs.len()];
        let value = |i: u16| fit(pick(i), reg.width());
        let (condition, subject) =
            (pick(gene.2).any(), fit(pick(gene.3), 1 + u32::from(gene.0) % 7));
        let then = || {
            reg.set(value(gene.4));
            wire.set(fit(pick(gene.3), wire.width()));
        };
        let choice = || {
            m.switch(subject, |s| {
                s.case(0, || reg.set(value(gene.2)));
                s.case(1, then);
                if subject.width() > 5 {
                    s.case(33, || wire.set(fit(pick(gene.4), wire.width())));
                }
                s.default(|| {
                    m.when(pick(gene.4).parity(), || reg.set(value(gene.3))).otherwise(then)
                });
            });
        };
        match gene.0 % 3 {
            0 => m.when(condition, then).otherwise(choice),
            1 => {
                m.when(condition, || ()).otherwise_when(pick(gene.4).all(), then).otherwise(choice)
            }
            _ => choice(),
        }
        pool.push(*wire);
    }
    for (i, signal) in pool.iter().enumerate().filter(|(i, _)| i % 3 == 0 || *i + 1 == pool.len()) {
        m.output(&format!("output_{i}"), *signal);
    }
    let last = pool[widths.len() - 1];
    let asked = last.eq(m.constant(Bits::from_fn(last.width(), |i| i % 2 == 0)));
    let asked = asked | fit(last, 8).eq(0x2a);
    for (i, signal) in pool.iter().enumerate().filter(|(i, _)| i % 4 == 1) {
        m.assert(&format!("assert_{i}"), !(asked & signal.bit(0)), "an input decides if it fails");
        m.cover(&format!("cover_{i}"), signal.parity(), "a signal has an odd number of ones");
    }
    m.finish()
}

/// Six instances with a memory between each two, so that there are segments to gate.
pub fn chain_of(module: &Module) -> Module {
    let m = ModuleBuilder::new("chain");
    let inputs: Vec<(&str, Signal)> = module
        .inputs()
        .map(|p| (module.port_name(p), m.input(module.port_name(p), module.node(p).width)))
        .collect();
    let last = module.outputs().last().expect("a circuit has outputs");
    let mut data = fit(inputs[0].1, 9);
    for i in 0..6 {
        let connected: Vec<(&str, Signal)> = inputs
            .iter()
            .enumerate()
            .map(|(j, (name, signal))| {
                (*name, if j == 0 { fit(data, signal.width()) } else { *signal })
            })
            .collect();
        let instance = m.instance(&format!("u_{i}"), module, &connected);
        let value = fit(instance.output(module.port_name(last)), 9);
        let kind = [Collision::ReadFirst, Collision::WriteFirst, Collision::Undefined][i % 3];
        let memory = m.memory(&format!("memory_{i}"), 5, 9, 3, kind);
        memory.write_lanes(value.bit(0), value.slice(1..4), data, value.slice(4..7));
        let second = value.slice(5..8);
        if i % 2 == 0 {
            memory.write(value.bit(8), second, data);
        }
        m.cover(&format!("both_{i}"), value.bit(0) & value.bit(8), "both ports write");
        let clocked = memory.read(&format!("read_{i}"), value.bit(7), value.slice(2..5));
        data = clocked ^ memory.read_without_clock(&format!("row_{i}"), value.slice(3..6));
        m.output(&format!("value_{i}"), value);
        m.output(&format!("data_{i}"), data);
    }
    m.finish()
}
