//! Faults in the emitted Verilog of the draw scheduler.

use crate::{TRANSFER, UNSTABLE_OR_WRONG, faults};

/// A channel that stops, or a wrong, missing or surplus transfer.
const WRONG_OR_STUCK: &[&str] = &["different", "unexpected", "contract", "stuck"];

const TOP: &str = "chopin_draw_scheduler.v";
const GPU: &str = "chopin_gpu.v";
const GRANTS: &str = "chopin_grants.v";
const TOTAL: &str = "chopin_total.v";

faults! {
    "chopin_draw_scheduler";
    a_report_of_all_that_is_an_error: GPU,
        "fits = {3'd0, reported} <= held" => "fits = {3'd0, reported} < held",
        TRANSFER;
    a_report_checked_against_the_low_bits: GPU,
        "fits = {3'd0, reported} <= held" => "fits = reported <= held[1:0]",
        TRANSFER;
    an_error_that_counts: GPU,
        "counted <= {2{fits}} & reported;" => "counted <= reported;",
        TRANSFER;
    an_error_that_takes_what_is_held: GPU,
        "held <= fits ?" => "held <= 1'b1 ?",
        TRANSFER;
    an_error_that_is_not_raised: GPU,
        "exceeds <= ~fits;" => "exceeds <= 1'b0;",
        TRANSFER;
    a_gpu_that_holds_something_after_reset: GPU,
        "            held <= 5'd0;\n" => "            held <= 5'd1;\n",
        TRANSFER;
    a_draw_that_overtakes_the_report_beside_it: GPU,
        "{3'd0, next_draw} - {3'd0, counted}" => "{3'd0, next_draw}",
        TRANSFER;
    a_draw_that_goes_to_all_others: GPU,
        "remaining <= chosen ?" => "remaining <= ~chosen ?",
        WRONG_OR_STUCK;
    a_gpu_that_has_many_too_early: GPU,
        "has_many = remaining[4]" => "has_many = remaining[3]",
        WRONG_OR_STUCK;
    a_gpu_that_never_has_many: GPU,
        "has_many = remaining[4]" => "has_many = 1'b0",
        TRANSFER;
    a_total_that_loses_its_carry: TOTAL,
        "carry0 <= sum0[3];" => "carry0 <= 1'b0;",
        TRANSFER;
    a_total_whose_carry_comes_early: TOTAL,
        "{1'b0, carry0}" => "{1'b0, sum0[3]}",
        TRANSFER;
    the_higher_of_equal_gpus: TOP,
        "gpu0_without_draw <= gpu1_without_draw" => "gpu0_without_draw < gpu1_without_draw",
        TRANSFER;
    a_comparison_that_forgets_the_draw_to_the_lower: TOP,
        "gpu0_with_draw <= gpu1_without_draw" => "gpu0_without_draw <= gpu1_without_draw",
        TRANSFER;
    a_comparison_that_forgets_the_draw_to_the_higher: TOP,
        "gpu1_without_draw <= gpu2_with_draw" => "gpu1_without_draw <= gpu2_without_draw",
        TRANSFER;
    a_draw_too_many_in_flight: TOP,
        "in_flight == 3'd5" => "in_flight == 3'd6",
        TRANSFER;
    a_draw_too_few_in_flight: TOP,
        "in_flight == 3'd5" => "in_flight == 3'd4",
        WRONG_OR_STUCK;
    a_draw_that_is_not_taken_and_counts: TOP,
        "draw_fires = draw_valid & draw_ready" => "draw_fires = draw_valid",
        WRONG_OR_STUCK;
    a_grant_that_goes_before_it_is_taken: TOP,
        "taken = grants_any & grant_is_ready" => "taken = grants_any",
        UNSTABLE_OR_WRONG;
    a_gpu_that_has_what_it_has_not_taken: TOP,
        "{3{taken}} &" => "{3{grants_any}} &",
        TRANSFER;
    a_report_that_was_not_made: TOP,
        "{2{processed_valid}} & processed_gpu0" => "processed_gpu0",
        TRANSFER;
    errors_of_other_gpus: TOP,
        "refused = {gpu2_refused, gpu1_refused, gpu0_refused}" =>
            "refused = {gpu1_refused, gpu2_refused, gpu0_refused}",
        TRANSFER;
    the_upper_half_of_another_query: TOP,
        "({2{asks1[0]}} & gpu0_scheduled1)" => "({2{asks0[0]}} & gpu0_scheduled1)",
        TRANSFER;
    a_grant_that_does_not_move_up: GRANTS,
        "place0_moves = leaves & place0_stays" => "place0_moves = 1'b0",
        TRANSFER;
    a_grant_that_is_lost_behind_another: GRANTS,
        "place1_taken <= place1_stays | (enters & place0_stays);" => "place1_taken <= place1_stays;",
        WRONG_OR_STUCK;
}
