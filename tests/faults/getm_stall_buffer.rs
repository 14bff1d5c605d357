//! Faults in the emitted Verilog of the stall buffer.

use crate::{TRANSFER, UNSTABLE, UNSTABLE_OR_WRONG, faults};

/// A missing wake-up shows as stuck, or in transfers after another wakes the line.
const WRONG_OR_STUCK: &[&str] = &["different", "unexpected", "contract", "stuck"];

/// Transfers that are right, in an order that is not.
const UNFAIR: &[&str] = &["contract"];

const TOP: &str = "getm_stall_buffer.v";
const LINE: &str = "getm_stall_line.v";
const ARBITER: &str = "round_robin_arbiter_n4.v";

faults! {
    "getm_stall_buffer";
    the_newest_of_equal_warpts_first: LINE,
        "(entry0_warpts <= park_warpts)" => "(entry0_warpts < park_warpts)",
        TRANSFER;
    the_largest_warpts_first: LINE,
        "(entry0_warpts <= park_warpts)" => "(entry0_warpts >= park_warpts)",
        TRANSFER;
    a_newcomer_that_goes_before_the_chosen: LINE,
        "((entry0_warpts <= park_warpts) | is_awake)" => "(entry0_warpts <= park_warpts)",
        UNSTABLE_OR_WRONG;
    a_lost_wake_up_after_a_retried_load: LINE,
        "(~result_reserved | released_again)" => "released_again",
        WRONG_OR_STUCK;
    a_wake_up_although_the_retry_reserved: LINE,
        "(~result_reserved | released_again)" => "1'b1",
        TRANSFER;
    a_release_forgotten_while_a_retry_is_under_way: LINE,
        "(~result_reserved | released_again)" => "~result_reserved",
        WRONG_OR_STUCK;
    a_lost_release_of_what_parks_in_the_same_clock: LINE,
        "= entry0_taken | enters;" => "= entry0_taken;",
        WRONG_OR_STUCK;
    a_release_compared_with_the_address_before: LINE,
        "is_live ? waited_for : park_granule" => "waited_for",
        WRONG_OR_STUCK;
    a_release_that_wakes_every_line: LINE,
        "(release_all | (release_granule == granule_now))" => "1'b1",
        TRANSFER;
    a_release_of_all_that_wakes_one: LINE,
        "(release_all | (release_granule == granule_now))" => "(release_granule == granule_now)",
        WRONG_OR_STUCK;
    a_result_that_any_retry_takes: LINE,
        "is_retrying & (result_granule == waited_for)" => "is_retrying",
        TRANSFER;
    a_retry_that_is_under_way_for_one_clock: LINE,
        "leaves | (is_retrying & ~retry_has_result)" => "leaves",
        TRANSFER;
    a_line_that_is_free_before_the_last_result: LINE,
        "entry0_taken | is_retrying;" => "entry0_taken;",
        TRANSFER;
    a_newcomer_lost_as_another_leaves: LINE,
        "(leaves ? before_newcomer : ~before_newcomer)" => "(~leaves & ~before_newcomer)",
        TRANSFER;
    a_waiter_that_leaves_twice: LINE,
        "wire moves_up1 = leaves & ~enters;" => "wire moves_up1 = 1'b0;",
        TRANSFER;
    an_entry_that_reset_does_not_empty: LINE,
        "            entry0_taken <= 1'b0;\n" => "",
        TRANSFER;
    a_full_line_that_takes_one_more: TOP,
        "{line1_has_room, line0_has_room}" => "2'd3",
        TRANSFER;
    a_second_line_for_an_address: TOP,
        "(|same_address) ?" => "1'b0 ?",
        TRANSFER;
    a_full_buffer_that_takes_one_more: TOP,
        "had_room <= |place;" => "had_room <= 1'b1;",
        TRANSFER;
    an_answer_in_the_same_clock: TOP,
        "assign parked_valid = answers;" => "assign parked_valid = park_valid;",
        TRANSFER;
    an_offer_that_changes_under_a_stall: TOP,
        "wire offers_next = retry_taken | ~retry_valid;" => "wire offers_next = 1'b1;",
        UNSTABLE;
    a_waiter_that_does_not_leave: TOP,
        "assign leaves = {2{retry_taken}} & offered;" => "assign leaves = 2'd0;",
        TRANSFER;
    a_retry_of_a_byte_beside_its_granule: TOP,
        "({2{offered[1]}} & line1_granule)), 1'b0}" => "({2{offered[1]}} & line1_granule)), 1'b1}",
        TRANSFER;
    a_result_of_no_retry_without_an_error: TOP,
        "assign error_valid = no_such_retry;" => "assign error_valid = 1'b0;",
        TRANSFER;
}

// Of two lines, the one that is not offered is always next.
faults! {
    "getm_stall_buffer", "fpga";
    a_line_that_always_goes_first: ARBITER,
        "requests & above_last" => "4'd0",
        UNFAIR;
}
