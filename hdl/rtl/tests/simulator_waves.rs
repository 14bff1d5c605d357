//! Waves: what is in the files, read back.

use std::path::PathBuf;

use warpsmith_rtl::{Bits, Module, ModuleBuilder, Simulator, Waves};

fn design() -> Module {
    let inner = ModuleBuilder::new("counter");
    let count = inner.reg("count", 3, 6);
    count.set(*count + 1);
    inner.output("value", *count);
    let inner = inner.finish();
    let m = ModuleBuilder::new("top");
    let x = m.input("x", 70);
    let u = m.instance("u_counter", &inner, &[]);
    m.output("y", x.bit(69) & u.output("value").bit(0));
    m.finish()
}

fn write(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = directory.join(name);
    let mut simulator = Simulator::new(&design()).unwrap();
    let mut waves = Waves::create(&path, &simulator).unwrap();
    for clock in 0..4u64 {
        simulator.set("rst", Bits::new(1, u64::from(clock == 0)));
        simulator.set("x", Bits::from_words(70, &[0, 0x20]));
        simulator.evaluate();
        waves.sample(&simulator).unwrap();
        simulator.clock();
    }
    waves.finish().unwrap();
    path
}

#[test]
fn vcd_has_the_hierarchy_and_only_changes() {
    let text = std::fs::read_to_string(write("waves.vcd")).unwrap();
    let (header, body) = text.split_once("$enddefinitions $end\n").unwrap();
    let words: Vec<&str> = header.split_whitespace().collect();
    let scopes: Vec<&str> = words.windows(3).filter(|w| w[0] == "$scope").map(|w| w[2]).collect();
    assert_eq!(scopes, ["top", "u_counter"]);
    let code = |name: &str| {
        let variable = words.windows(5).find(|w| w[0] == "$var" && w[4] == name);
        variable.unwrap_or_else(|| panic!("no variable {name} in {header}"))[3]
    };
    assert_eq!(code("count"), code("value"), "one net is one trace");
    let count = format!(" {}", code("count"));
    let counts: Vec<&str> = body.lines().filter_map(|l| l.strip_suffix(&count)).collect();
    assert_eq!(counts[1..], ["b110", "b111", "b000"], "after noise");
    let x = format!(" {}", code("x"));
    assert_eq!(body.lines().filter(|l| l.ends_with(&x)).count(), 1);
    let clk = body.lines().filter(|l| l[1..] == *code("clk")).map(|l| &l[..1]);
    assert_eq!(clk.collect::<String>(), "10101010");
    assert!(body.contains("#35\n") && body.ends_with("#40\n"));
}

#[test]
fn fst_is_written() {
    let size = std::fs::metadata(write("waves.fst")).unwrap().len();
    assert!(size > 300, "{size} bytes");
}

#[test]
fn other_extensions_are_refused() {
    let simulator = Simulator::new(&design()).unwrap();
    let error = Waves::create("waves.lxt".as_ref(), &simulator).err().unwrap();
    assert_eq!(error.to_string(), "waves.lxt: waves are written to .vcd or .fst");
}
