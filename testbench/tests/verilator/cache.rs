//! The cache of models.

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::thread;

use warpsmith_testbench::verilator::{BuildOptions, VerilatedLibrary, VerilatorError};

use crate::{COUNTER, build, count, counter_layout, source, verilator_there};

fn options_in(cache: &Path) -> BuildOptions {
    BuildOptions { cache: Some(cache.to_owned()), ..BuildOptions::default() }
}

#[test]
fn second_build_comes_from_the_cache() {
    require_verilator!(second_build_comes_from_the_cache);
    let (source, ports) = (source("counter", COUNTER), counter_layout());
    let first = build(&source, &ports);
    let modified = || fs::metadata(first.path()).unwrap().modified().unwrap();
    let before = modified();
    let second = build(&source, &ports);
    assert!(second.from_cache());
    assert_eq!((second.path(), modified()), (first.path(), before));
    let other = build(&crate::source("counter", &COUNTER.replace("q + step", "q ^ step")), &ports);
    assert_ne!(other.path(), first.path());
}

#[test]
fn damaged_entries_are_built_again() {
    require_verilator!(damaged_entries_are_built_again);
    // A source of its own, so that no other test has the damaged file loaded.
    let text = format!("// damaged\n{COUNTER}");
    let (source, ports) = (source("counter", &text), counter_layout());
    let path = build(&source, &ports).path().to_owned();
    let whole = fs::read(&path).unwrap();
    let digest = path.with_file_name("sha256");
    let damages: [&dyn Fn(); 5] = [
        &|| fs::write(&path, &whole[..whole.len() / 2]).unwrap(),
        &|| fs::write(&path, "").unwrap(),
        &|| fs::remove_file(&path).unwrap(),
        &|| fs::remove_file(&digest).unwrap(),
        &|| {
            // Its digest matches, but it is not a shared object.
            fs::write(&path, "nonsense").unwrap();
            // SHA-256 of the eight-byte length and the text, as the cache computes it.
            fs::write(&digest, NONSENSE_DIGEST).unwrap();
        },
    ];
    for damage in damages {
        damage();
        let library = build(&source, &ports);
        assert!(!library.from_cache());
        count(&mut library.instance(), 10);
    }
    assert!(build(&source, &ports).from_cache());
}

const NONSENSE_DIGEST: &str = "acc63c0d6ad5e9ce2fadba9f814be44d362caae104bd51cdd6d799e8e155b2af";

/// Not a test itself: the child processes of the next test run it.
#[test]
fn child_builds() {
    let Some(cache) = env::var_os("WARPSMITH_TEST_CHILD_CACHE") else { return };
    let options = options_in(Path::new(&cache));
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let source = source("counter", COUNTER);
                let library = VerilatedLibrary::build(&source, &counter_layout(), &options);
                count(&mut Arc::new(library.unwrap()).instance(), 10);
            });
        }
    });
}

#[test]
fn processes_and_threads_build_the_same_model_at_once() {
    require_verilator!(processes_and_threads_build_the_same_model_at_once);
    let cache = tempfile::tempdir().unwrap();
    let child = || {
        Command::new(env::current_exe().unwrap())
            .args(["cache::child_builds", "--exact"])
            .env("WARPSMITH_TEST_CHILD_CACHE", cache.path())
            .spawn()
            .unwrap()
    };
    let children: Vec<Child> = (0..2).map(|_| child()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(fs::read_dir(cache.path().join("tmp")).unwrap().count(), 0, "left-over files");
    let options = options_in(cache.path());
    let source = source("counter", COUNTER);
    let library = VerilatedLibrary::build(&source, &counter_layout(), &options).unwrap();
    assert!(library.from_cache());
}

#[test]
fn unusable_cache_is_named() {
    require_verilator!(unusable_cache_is_named);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let cache = file.join("cache");
    let source = source("counter", COUNTER);
    let error =
        VerilatedLibrary::build(&source, &counter_layout(), &options_in(&cache)).unwrap_err();
    assert!(matches!(error, VerilatorError::Cache { .. }), "{error}");
    let message = error.to_string();
    assert!(message.contains("WARPSMITH_CACHE"), "{message}");
    assert!(message.contains(cache.to_str().unwrap()), "{message}");
}
