//! dev
#![allow(missing_docs, dead_code)]
#[path = "../../../src/flow/prove/top.rs"]
mod top;
use std::collections::BTreeSet;
use warpsmith_rtl::verilog::{EmitOptions, emit};
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let design = warpsmith_blocks::find(&a[1]).unwrap().configure("tiny", &[]).unwrap();
    let circuit = design.circuit();
    let t = top::top(&*design, &circuit, true);
    let mut files = vec![(format!("{}.v", t.name), t.verilog.clone())];
    for m in std::iter::once(&circuit).chain(&t.properties) {
        files.extend(
            emit(m, &EmitOptions::default()).unwrap().into_iter().map(|f| (f.file_name(), f.text)),
        );
    }
    let mut known = BTreeSet::new();
    files.retain(|(n, _)| known.insert(n.clone()));
    for (n, text) in &files {
        std::fs::write(format!("{}/{n}", a[2]), text).unwrap();
    }
    let names: Vec<_> = files.iter().map(|(n, _)| n.clone()).collect();
    let kept: String =
        t.probes.iter().map(|(w, p)| format!("setattr -set keep 1 w:{w} w:{p}\n")).collect();
    let con: String = t.probes.iter().map(|(w, p)| format!("connect -set {w} {p}\n")).collect();
    let script = format!(
        "read_verilog -formal -sv {}\nhierarchy -check -top {top}\nproc\nsetundef -anyseq\nflatten\ncd {top}\n{kept}cd ..\nmemory -nomap\nmemory_map -formal\ncd {top}\n{con}cd ..\nchformal -early\nopt -fast\nsetundef -undriven -anyseq\nopt -fast\nopt_clean\n",
        names.join(" "),
        top = t.name
    );
    std::fs::write(format!("{}/base.ys", a[2]), script).unwrap();
}
