//! Litmus tests with proxies: what the axioms allow, and that no machine runs them.

mod support;

use serde_json::Value;
use support::{Ended, Scratch, run, schema};

fn ended(text: &str, more: &[&str]) -> Ended {
    let scratch = Scratch::new();
    std::fs::write(scratch.path("t.litmus"), text).expect("writable");
    run(&scratch, &[&["litmus", "t.litmus", "--runs", "20", "--system", "hmg"], more].concat())
}

/// Whether a line `exists` can hold after these threads, with `s` another address of `x`.
fn can_be(threads: &[&str], condition: &str) -> bool {
    let threads: String = threads.iter().map(|it| format!("thread {it}\n")).collect();
    let text = format!("litmus test\nalias s x\n{threads}exists {condition}\n");
    let ended = ended(&text.replace("; ", "\n"), &["--json"]);
    assert_eq!(ended.code, 0, "{text} {ended:?}");
    let verdicts = schema::document(&ended)["axioms"]["lines"][0]["verdicts"].clone();
    let is_allowed = |verdict: &Value| verdict[1].get("allowed").is_some();
    verdicts.as_array().expect("verdicts").iter().any(is_allowed)
}

#[test]
fn a_thread_sees_its_store_by_another_way_after_a_fence() {
    for (store, fence, load) in [
        ("st.surface x 1", "fence.proxy.surface", "ld r0 x"),
        ("st x 1", "fence.proxy.surface", "ld.surface r0 x"),
        ("st x 1", "fence.proxy.texture", "ld.texture r0 x"),
        ("st x 1", "fence.proxy.constant", "ld.constant r0 x"),
        ("st x 1", "fence.proxy.alias", "ld r0 s"),
        ("st s 1", "fence.proxy.alias", "ld r0 x"),
        ("st.surface x 1", "fence.proxy.surface; fence.proxy.texture", "ld.texture r0 x"),
        (
            "st.surface x 1",
            "fence.proxy.surface; fence.proxy.alias; fence.proxy.texture",
            "ld.texture r0 s",
        ),
    ] {
        let thread = |fence: &str| format!("gpu0.gpm0.cta0; {store}; {fence}{load}");
        assert!(can_be(&[&thread("")], "0:r0=0"), "{store} {load}");
        assert!(!can_be(&[&thread(&format!("{fence}; "))], "0:r0=0"), "{store} {fence} {load}");
    }
    // One way by one address needs no fence; two need both, in the order of the accesses.
    for (thread, stale) in [
        ("st.surface x 1; ld.surface r0 x", false),
        ("st.surface x 1; fence.proxy.surface; ld.texture r0 x", true),
        ("st.surface x 1; fence.proxy.texture; fence.proxy.surface; ld.texture r0 x", true),
        ("st.surface x 1; fence.proxy.surface; ld.texture r0 s", true),
        ("st x 1; fence.sc.sys; ld.surface r0 x", true),
    ] {
        let thread = format!("gpu0.gpm0.cta0; {thread}");
        assert_eq!(can_be(&[&thread], "0:r0=0"), stale, "{thread}");
    }
}

#[test]
fn a_message_passes_between_ways_with_fences_in_its_cta() {
    for (first, second, place, stale) in [
        ("fence.proxy.surface; ", "", "cta0", false),
        ("", "fence.proxy.surface; ", "cta0", false),
        ("", "", "cta0", true),
        ("fence.proxy.texture; ", "fence.proxy.texture; ", "cta0", true),
        // The load is in another CTA than the fence of its proxy.
        ("fence.proxy.surface; ", "", "cta1", true),
        ("", "fence.proxy.surface; ", "cta1", false),
    ] {
        let writer = format!("gpu0.gpm0.cta0; st x 1; {first}st.release.gpu y 1");
        let reader = format!("gpu0.gpm0.{place}; ld.acquire.gpu r0 y; {second}ld.surface r1 x");
        let found = can_be(&[&writer, &reader], "1:r0=1 1:r1=0");
        assert_eq!(found, stale, "{writer} | {reader}");
    }
}

#[test]
fn columns_name_surfaces_textures_and_aliases() {
    let text = |fence: &str, question: &str| {
        format!(
            "PTX test\n{{\nx = 0;\nz @ generic aliases x;\ns @ surface aliases x;\nt @ texture aliases z;\nf = 0;\n\
             P1:r0=0;\nP1:r1=0;\n}}\n\
             P0@cta 0,gpu 0       | P1@cta 0,gpu 0       ;\n\
             sust.weak s, 2       | ld.acquire.cta r0, f ;\n\
             fence.proxy.surface  | {fence}              ;\n\
             st.release.cta f, 1  | fence.proxy.texture  ;\n\
             \u{20}                | tld.weak r1, t       ;\n\
             {question}\n(P1:r0 == 1 /\\ P1:r1 != 2)\n"
        )
    };
    let right = ended(&text("fence.proxy.alias", "~exists"), &[]);
    assert_eq!(right.code, 0, "{right:?}");
    let reason = "line 12: no memory system here has surfaces";
    assert!(right.stdout.contains(reason), "{right:?}");
    assert_eq!(ended(&text("", "~exists"), &[]).code, 1);
    assert_eq!(ended(&text("", "exists"), &[]).code, 0);
    let teeth = ended(&text("fence.proxy.alias", "~exists"), &["--teeth"]);
    assert!(teeth.code == 2 && teeth.stderr.contains("cannot be run"), "{teeth:?}");
}

#[test]
fn wrong_proxies_are_named_with_their_line() {
    let own = |line: &str| format!("litmus t\n{line}\nthread\nld r0 x\nexists 0:r0=0\n");
    for (text, words) in [
        (own("alias x x"), "t.litmus:2: x: accepted are up to 8 aliases"),
        (own("alias"), "t.litmus:2: "),
        ("litmus t\nthread\nalias s x\n".into(), "t.litmus:3: `alias` comes before"),
        ("litmus t\nthread\nld.relaxed.gpu.surface r0 x\n".into(), "accesses by proxies are weak"),
        ("litmus t\nthread\nst.texture x 1\n".into(), "accepted are ld.surface"),
        ("litmus t\nthread\nred.relaxed.gpu.add.surface x 1\n".into(), "accepted are ld.surface"),
        ("litmus t\nthread\nfence.proxy.async\n".into(), "accepted are fence.proxy.alias"),
        (
            "PTX t\n{\nx=0; s @ tensor aliases x;\n}\n".into(),
            "t.litmus:3: `tensor`: accepted proxies",
        ),
    ] {
        let ended = ended(&text, &[]);
        assert!(ended.code == 2 && ended.stderr.contains(words), "{text}: {ended:?}");
    }
}
