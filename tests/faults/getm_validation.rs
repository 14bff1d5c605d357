//! Faults in the emitted Verilog of the validation unit, beside its table and its stall buffer.

use crate::{TRANSFER, faults};

/// A missing transfer shows as stuck, or in a later transfer.
const WRONG_OR_STUCK: &[&str] = &["different", "unexpected", "contract", "stuck"];

/// A broken rule, and no wrong transfer.
const CONTRACT: &[&str] = &["contract"];

const TOP: &str = "getm_validation.v";

faults! {
    "getm_validation";
    a_war_reported_with_the_time_of_a_read: TOP,
        "((metadata_resp_verdict == 3'd2) | (metadata_resp_rts < metadata_resp_wts))" =>
        "(metadata_resp_rts < metadata_resp_wts)",
        TRANSFER;
    the_earlier_of_two_times_reported: TOP,
        "(metadata_resp_rts < metadata_resp_wts)" => "(metadata_resp_rts > metadata_resp_wts)",
        TRANSFER;
    a_store_validated_as_a_load: TOP,
        "(access_store ? 2'd1 : 2'd0)" => "2'd0",
        TRANSFER;
    a_release_of_another_count: TOP,
        "wire [1:0] issues_count = written_count;" => "wire [1:0] issues_count = 2'd1;",
        TRANSFER;
    a_retry_that_is_not_told_from_a_request: TOP,
        "assign issues_tag = is_retry;" => "assign issues_tag = 1'b0;",
        WRONG_OR_STUCK;
    two_retries_at_once: TOP,
        "stall_retry_valid & ~retry_under_way;" => "stall_retry_valid;",
        WRONG_OR_STUCK;
    waiters_left_behind_a_retried_load: TOP,
        "assign stall_retry_result_reserved_in = parks | verdict_stored;" =>
        "assign stall_retry_result_reserved_in = 1'b1;",
        WRONG_OR_STUCK;
    waiters_woken_behind_a_retried_store: TOP,
        "assign stall_retry_result_reserved_in = parks | verdict_stored;" =>
        "assign stall_retry_result_reserved_in = parks;",
        TRANSFER;
    waiters_woken_by_every_release: TOP,
        "verdict_on_release & _verdict_verdict_is0 & ~verdict_reserved;" => "verdict_on_release & _verdict_verdict_is0;",
        TRANSFER;
    waiters_woken_by_no_release: TOP,
        "assign stall_release_valid_in = wakes | stall_release_all_in;" =>
        "assign stall_release_valid_in = stall_release_all_in;",
        WRONG_OR_STUCK;
    an_access_without_room_that_is_not_answered: TOP,
        "answer_valid & answer_parked & stall_parked_room;" => "answer_valid & answer_parked;",
        WRONG_OR_STUCK;
    an_answer_to_an_access_that_waits: TOP,
        "wire waits = answer_valid & answer_parked & stall_parked_room;" => "wire waits = 1'b0;",
        TRANSFER;
    a_request_without_time_left_that_is_issued: TOP,
        "& ~late & ~is_retry;" => "& ~is_retry;",
        "(told_to_stop | late)" => "told_to_stop",
        TRANSFER;
    a_roll_over_that_begins_too_late: TOP,
        "(4'd13 <= request_warpts)" => "(4'd14 <= request_warpts)",
        TRANSFER;
    a_stop_that_is_remembered_when_stopped: TOP,
        "& ~roll_go & ~stopped)" => "& ~roll_go)",
        WRONG_OR_STUCK;
    waiters_that_a_stop_does_not_wake: TOP,
        "assign stall_release_all_in = waiters_to_wake & quiet;" =>
        "assign stall_release_all_in = 1'b0;",
        WRONG_OR_STUCK;
    waiters_woken_while_accesses_are_under_way: TOP,
        "assign stall_release_all_in = waiters_to_wake & quiet;" =>
        "assign stall_release_all_in = waiters_to_wake;",
        "if (waiters_to_wake & quiet) begin" => "if (waiters_to_wake) begin",
        WRONG_OR_STUCK;
    accesses_refused_while_others_are_under_way: TOP,
        "(stopped & ~waiters_to_wake & ~clearing) &" => "(stopped & ~clearing) &",
        TRANSFER;
    an_access_refused_as_the_unit_goes_on: TOP,
        "(stopped & ~waiters_to_wake & ~clearing) &" => "(stopped & ~waiters_to_wake) &",
        TRANSFER;
    a_refusal_in_the_place_of_a_verdict: TOP,
        "& can_answer &\n        ~metadata_resp_valid;" => "& can_answer;",
        WRONG_OR_STUCK;
    a_unit_that_never_goes_on: TOP,
        "(stopped & told_to_go & ~clearing" => "(1'b0 & told_to_go & ~clearing",
        WRONG_OR_STUCK;
    a_clear_while_accesses_wait: TOP,
        "~waiters_to_wake & ~(|waiters))" => "~waiters_to_wake)",
        TRANSFER;
    a_clear_while_accesses_are_under_way: TOP,
        "~waiters_to_wake & ~(|waiters))" => "~(|waiters))",
        TRANSFER;
    requests_taken_and_lost: "skid_buffer_w11.v",
        "valid <= in_valid | skid_valid;" => "valid <= 1'b0;",
        CONTRACT;
    a_request_taken_before_the_table_is_clear: TOP,
        "assign req_ready = request_room & is_cleared;" => "assign req_ready = request_room;",
        TRANSFER;
}

// The two warps of `tiny` have fewer outstanding responses than there are slots.
faults! {
    "getm_validation", "fpga";
    an_access_without_a_place_for_its_answer: TOP,
        "wire can_answer = answers_due != 5'd16;" => "wire can_answer = 1'b1;",
        WRONG_OR_STUCK;
}
