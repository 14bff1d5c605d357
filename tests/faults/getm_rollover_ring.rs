//! Faults in the emitted Verilog of a station of the roll-over ring.

use crate::{TRANSFER, UNSTABLE_OR_WRONG, faults};

const TOP: &str = "getm_rollover_ring.v";
/// A message that is lost, or comes at the wrong time.
const LOST: &[&str] = &["different", "unexpected", "contract", "stuck", "unstable"];

faults! {
    "getm_rollover_ring";
    a_stop_that_tells_nobody: TOP,
        "wire tells_stop = stop_comes & (phase == 3'd0) & ~is_own;" => "wire tells_stop = 1'b0;",
        LOST;
    a_stop_that_passes_a_unit_that_runs: TOP,
        "((phase == 3'd3) | ((phase == 3'd2) & ~is_higher))" =>
            "((phase == 3'd0) | (phase == 3'd3) | ((phase == 3'd2) & ~is_higher))",
        LOST;
    a_higher_stop_that_passes_a_leader: TOP,
        "wire is_higher = unit < line_in_origin;" => "wire is_higher = 1'b0;",
        LOST;
    a_lower_stop_that_a_leader_drops: TOP,
        "wire is_higher = unit < line_in_origin;" => "wire is_higher = unit != line_in_origin;",
        LOST;
    a_number_compared_in_one_bit: TOP,
        "wire is_own = line_in_origin == unit;" => "wire is_own = line_in_origin[0] == unit[0];",
        LOST;
    the_cores_are_not_asked: TOP,
        "halt_waits <= returns |" => "halt_waits <= (returns & 1'b0) |",
        LOST;
    the_cores_are_not_waited_for: TOP,
        "(phase == 3'd4) & ~halt_untaken;" => "(phase == 3'd4);",
        TRANSFER;
    a_go_that_waits_for_no_commit_unit: TOP,
        "wire tells_go = drained_valid &" => "wire tells_go =",
        LOST;
    a_commit_unit_drained_before_the_go: TOP,
        "drained_valid & ((phase == 3'd5)" => "drained_valid & ((phase == 3'd5) | (phase == 3'd3)",
        LOST;
    a_commit_unit_drained_with_the_go_is_missed: TOP,
        "((phase == 3'd5) | go_waits | cores_halted)" => "(phase == 3'd5)",
        LOST;
    a_unit_cleared_before_it_was_told: TOP,
        "(phase == 3'd6) & ~go_order_untaken;" => "(phase == 3'd6);",
        LOST;
    a_go_in_the_name_of_the_wrong_unit: TOP,
        "(stops_by_itself ? unit : held_origin)" => "unit",
        TRANSFER;
    a_stop_in_the_name_of_the_wrong_unit: TOP,
        "(passes ? line_in_origin :" => "(passes ? held_origin :",
        TRANSFER;
    a_go_that_leaves_as_a_stop: TOP,
        ".in_data({cleared," => ".in_data({1'b0,",
        TRANSFER;
    the_first_unit_forgets_that_its_go_returns: TOP,
        "phase <= goes_round ? 3'd7 : 3'd0;" => "phase <= 3'd0;",
        LOST;
    the_cores_never_resume: TOP,
        "resume_waits <= ends |" => "resume_waits <= (ends & 1'b0) |",
        LOST;
    an_order_to_stop_that_is_withdrawn: TOP,
        "(stop_waits & ~roll_taken)" => "(stop_waits & 1'b0)",
        UNSTABLE_OR_WRONG;
    an_order_to_go_on_taken_with_the_order_to_stop: TOP,
        "(go_order_waits & ~(roll_taken & ~stop_waits))" => "(go_order_waits & ~roll_taken)",
        UNSTABLE_OR_WRONG;
    a_message_of_no_unit_is_obeyed: TOP,
        "(line_in_origin < 2'd3)" => "1'b1",
        LOST;
    an_error_with_the_code_of_another: TOP,
        "turn[0] ? 2'd1 :" => "turn[0] ? 2'd2 :",
        TRANSFER;
    two_events_in_one_clock: TOP,
        "assign halted_ready = turn[1];" => "assign halted_ready = ~turn[2];",
        TRANSFER;
    a_message_taken_without_room: TOP,
        "turn[2] & has_place & ~waits_for_unit;" => "turn[2] & ~waits_for_unit;",
        LOST;
    a_turn_that_never_comes: TOP,
        "turn <= {turn[1:0], turn[2]};" => "turn <= {1'b0, turn[0], turn[1]};",
        LOST;
}
