//! `tests/programs/compilers`: what Triton and NVRTC make of a softmax, a scan by CUB, a barrier of the grid, a lock within a
//! warp and a histogram in clusters runs as it is.

mod support;

use std::path::Path;

use support::{Ended, Scratch, run};

fn launched(name: &str, more: &[&str]) -> Ended {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/compilers");
    let [module, launch] =
        ["ptx", "toml"].map(|kind| folder.join(format!("{name}.{kind}")).display().to_string());
    run(&Scratch::new(), &[&["run", &module, "--launch", &launch], more].concat())
}

#[test]
fn programs_of_triton_and_nvrtc_run_as_they_are() {
    for name in ["softmax", "scan", "grid_barrier", "warp_lock"] {
        for more in [&["--timing", "off"][..], &["--preset", "gtx480"], &["--preset", "hmg_4x4"]] {
            let ended = launched(name, more);
            assert_eq!(ended.code, 0, "{name} {more:?}: {ended:?}");
            assert!(ended.stdout.contains("as expected"), "{name} {more:?}: {ended:?}");
        }
        let ended = launched(name, &["--timing", "off", "--checks", "races"]);
        assert_eq!(ended.code, 0, "{name}: {ended:?}");
    }
}

#[test]
fn a_histogram_in_clusters_runs_without_time() {
    for more in [&["--timing", "off"][..], &["--timing", "off", "--checks", "races"]] {
        let ended = launched("cluster_histogram", more);
        assert_eq!(ended.code, 0, "{more:?}: {ended:?}");
        assert!(ended.stdout.contains("as expected"), "{more:?}: {ended:?}");
    }
    let ended = launched("cluster_histogram", &["--preset", "hmg_4x4"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("use --timing off"), "{ended:?}");
}

#[test]
fn a_lock_within_a_warp_never_ends_on_hardware_with_one_stack() {
    let ended = launched("warp_lock", &["--timing", "off", "--divergence", "stack"]);
    assert_eq!(ended.code, 2, "{ended:?}");
    assert!(ended.stderr.contains("warp_lock.ptx:31: no warp has ended"), "{ended:?}");
}
