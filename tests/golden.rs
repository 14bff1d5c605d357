//! Compares the kernels' figures on each memory system with `tests/golden/kernels.tsv`: clocks, messages,
//! bytes, and the hash of all counts. Any change of the model shows here. After an intended one, record again
//! with `UPDATE_EXPECT=1 cargo test --test golden -- --ignored`.

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest, Sha256};
use support::{Scratch, run};
use warpsmith::gpu::config::Config;
use warpsmith::gpu::systems::System;

const HEAD: &str = "kernel\tsystem\tperturb\tclocks\tmessages\tbytes\thash of the statistics\n";
const PERTURBATIONS: [&str; 2] = ["none", "1"];

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn kernels() -> Vec<String> {
    let files = std::fs::read_dir(folder("kernels")).expect("the kernels");
    let names = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    let mut kernels: Vec<_> =
        names.filter_map(|name| Some(name.strip_suffix(".toml")?.to_string())).collect();
    // The others need a memory system with transactions.
    kernels.retain(|name| !name.ends_with("_tx"));
    kernels.sort();
    assert_eq!(kernels.len(), 16);
    kernels
}

/// The memory systems of the machine.
fn systems() -> Vec<System> {
    System::fitting(&Config::preset("hmg_4x4").expect("a preset")).collect()
}

/// Messages and bytes of all links.
fn traffic(statistics: &Value) -> [u64; 2] {
    let links = ["gpm_links", "gpu_links"].map(|kind| statistics["traffic"][kind].as_array());
    let links = links.into_iter().map(|links| links.expect("links"));
    let ways = links.flatten().flat_map(|link| [&link["out"], &link["in"]]);
    ways.fold([0, 0], |[messages, bytes], way| {
        let of = |name: &str| way[name].as_u64().expect("a count");
        [messages + of("messages"), bytes + of("bytes")]
    })
}

/// The line of a run.
fn line(scratch: &Scratch, kernel: &str, system: System, perturb: &str) -> String {
    let file =
        |kind: &str| folder("kernels").join(format!("{kernel}.{kind}")).display().to_string();
    let (ptx, launch) = (file("ptx"), file("toml"));
    let mut arguments = vec!["run", &ptx, "--launch", &launch, "--preset", "hmg_4x4", "--json"];
    arguments.extend(["--system", system.name]);
    if perturb != "none" {
        arguments.extend(["--perturb", perturb]);
    }
    let ended = run(scratch, &arguments);
    assert_eq!(ended.code, 0, "{kernel} on {}: {ended:?}", system.name);
    let record: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    let timing = &record["timing"];
    let [messages, bytes] = traffic(&timing["statistics"]);
    let hash = short_hash(timing["statistics"].to_string());
    let (name, clocks) = (system.name, &timing["cycles"]);
    format!("{kernel}\t{name}\t{perturb}\t{clocks}\t{messages}\t{bytes}\t{hash}")
}

fn recorded(file: &str) -> String {
    std::fs::read_to_string(folder("golden").join(file)).expect("the record")
}

/// Writes the record if requested by the environment, else compares with it.
fn compare(file: &str, text: &str) {
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(folder("golden").join(file), text).expect("the record");
        return;
    }
    let recorded = recorded(file);
    let changed: Vec<_> =
        text.lines().filter(|line| !recorded.lines().any(|old| old == *line)).collect();
    assert!(changed.is_empty(), "not as recorded:\n{}", changed.join("\n"));
    assert_eq!(recorded.lines().count(), text.lines().count());
}

fn short_hash(text: impl AsRef<[u8]>) -> String {
    let hash = Sha256::digest(text);
    hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Each kernel on two systems, each system with and without perturbation.
#[test]
fn kernels_take_what_they_took() {
    let (scratch, recorded) = (Scratch::new(), recorded("kernels.tsv"));
    for (index, kernel) in kernels().iter().enumerate() {
        for (more, perturb) in PERTURBATIONS.into_iter().enumerate() {
            let systems = systems();
            let system = systems[(index + 3 * more + index / systems.len()) % systems.len()];
            let line = line(&scratch, kernel, system, perturb);
            assert!(recorded.lines().any(|old| old == line), "not as recorded: {line}");
        }
    }
}

#[test]
#[ignore = "nightly: every kernel on every memory system"]
fn every_kernel_takes_what_it_took_on_every_system() {
    let scratch = Scratch::new();
    let mut text = HEAD.to_string();
    for kernel in kernels() {
        for system in systems() {
            for perturb in PERTURBATIONS {
                text += &line(&scratch, &kernel, system, perturb);
                text.push('\n');
            }
        }
    }
    compare("kernels.tsv", &text);
}

/// Lines of Verilog without their comments.
fn statements(verilog: &str) -> String {
    let lines = verilog.lines().map(|line| line.split("//").next().unwrap_or_default().trim_end());
    lines.filter(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect()
}

/// `emit --check` compares `rtl-out` with what is emitted; this tests whether more than comments changed.
#[test]
fn emitted_verilog_is_what_it_was_but_for_comments() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("rtl-out");
    let inside = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths
    };
    let presets = inside(&root).into_iter().flat_map(|block| inside(&block));
    // The tops for boards have no presets.
    let presets = presets.filter(|preset| preset.is_dir());
    let text: String = presets
        .map(|preset| {
            let files = inside(&preset).into_iter();
            let verilog = files.filter(|file| file.extension().is_some_and(|e| e == "v"));
            let text: String = verilog
                .map(|file| {
                    let name = file.file_name().expect("a name").to_string_lossy().into_owned();
                    name + "\n" + &statements(&std::fs::read_to_string(&file).expect("Verilog"))
                })
                .collect();
            let name = preset.strip_prefix(&root).expect("it is inside").display().to_string();
            format!("{name}\t{}\n", short_hash(text))
        })
        .collect();
    compare("rtl-out.tsv", &text);
}
