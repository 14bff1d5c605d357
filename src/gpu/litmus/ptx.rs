//! A litmus test as a kernel.

use std::fmt::Write;

use super::{REGISTERS, Test};
use crate::gpu::isa::Scope;

use super::place::scope_name;

/// The kernel of a test. Its parameters: the address of each location, that of the results, a mask
/// of the locations that all threads load first, so that there are old copies, and for each thread
/// its CTA, its warp and the turns that it waits.
pub(super) fn ptx(test: &Test, scope: Scope) -> String {
    let mut text = String::from(".version 6.4\n.target sm_70\n.address_size 64\n");
    let locations = 0..test.locations.len();
    let threads = 0..test.threads.len();
    let mut parameters: Vec<_> =
        locations.clone().map(|at| format!(".param .u64 at{at}")).collect();
    parameters.push(".param .u64 results".into());
    parameters.push(".param .u32 warm".into());
    for thread in threads.clone() {
        for name in ["cta", "warp", "wait"] {
            parameters.push(format!(".param .u32 {name}{thread}"));
        }
    }
    let mut say = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    say(format!(".visible .entry litmus({})\n{{", parameters.join(", ")));
    say(format!(".reg .pred %p<4>;\n.reg .b32 %r<8>, %v<{REGISTERS}>;"));
    say(format!(".reg .b64 %results, %at<{}>;", test.locations.len().max(1)));
    for at in locations.clone() {
        say(format!("ld.param.u64 %at{at}, [at{at}];"));
    }
    say("ld.param.u64 %results, [results];\nld.param.u32 %r4, [warm];".into());
    say("mov.u32 %r0, %ctaid.x;\nmov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 31;".into());
    say("shr.u32 %r1, %r1, 5;\nsetp.ne.u32 %p0, %r2, 0;\n@%p0 bra END;".into());
    for thread in threads.clone() {
        say(format!("ld.param.u32 %r2, [cta{thread}];\nld.param.u32 %r3, [warp{thread}];"));
        say("setp.eq.u32 %p0, %r0, %r2;\nsetp.eq.and.u32 %p1, %r1, %r3, %p0;".into());
        say(format!("@%p1 bra THREAD{thread};"));
    }
    say("bra END;".into());
    for thread in threads {
        say(format!("THREAD{thread}:"));
        for at in locations.clone() {
            say(format!("and.b32 %r5, %r4, {};\nsetp.ne.u32 %p0, %r5, 0;", 1 << at));
            say(format!("@%p0 ld.global.u32 %r6, [%at{at}];"));
        }
        say(format!("ld.param.u32 %r2, [wait{thread}];\nWAIT{thread}:"));
        say("add.u32 %r2, %r2, -1;\nsetp.gt.s32 %p0, %r2, 0;".into());
        say(format!("@%p0 bra WAIT{thread};"));
        for instruction in &test.threads[thread] {
            let name = instruction.name.replace('$', scope_name(scope));
            let kind = name.split('.').next().unwrap_or_default().to_string();
            // PTX has the space after the scope, and the operation after the space.
            let is_operation = |word: &&str| {
                ["add", "exch", "cas", "min", "max", "and", "or", "xor"].contains(word)
            };
            let words: Vec<_> = name.split('.').skip(1).filter(|word| *word != "weak").collect();
            let operation: Vec<_> = words.iter().copied().filter(is_operation).collect();
            let others: Vec<_> = words.iter().copied().filter(|word| !is_operation(word)).collect();
            let dotted =
                |words: &[&str]| words.iter().map(|word| format!(".{word}")).collect::<String>();
            let full = format!("{kind}{}", dotted(&others));
            let values: String =
                instruction.values.iter().map(|value| format!(", {value}")).collect();
            match (kind.as_str(), instruction.register, instruction.location) {
                ("ld", Some(register), Some(at)) => {
                    say(format!("{full}.global.u32 %v{register}, [%at{at}];"));
                }
                ("st", _, Some(at)) => say(format!("{full}.global.u32 [%at{at}]{values};")),
                ("atom", Some(register), Some(at)) => {
                    let ty = if matches!(operation[..], ["exch" | "cas" | "and" | "or" | "xor"]) {
                        "b32"
                    } else {
                        "u32"
                    };
                    let operation = dotted(&operation);
                    say(format!("{full}.global{operation}.{ty} %v{register}, [%at{at}]{values};"));
                }
                _ => say(format!("{full};")),
            }
        }
        let mut loaded: Vec<_> = test.threads[thread].iter().filter_map(|it| it.register).collect();
        loaded.sort_unstable();
        loaded.dedup();
        for register in loaded {
            let offset = (thread * REGISTERS + register) * 4;
            say(format!("st.global.u32 [%results+{offset}], %v{register};"));
        }
        say("bra END;".into());
    }
    say("END:\nret;\n}".into());
    text
}
