//! Faults in the emitted Verilog of the Bloom filters.

use crate::{MISSING, TRANSFER, UNSTABLE_OR_WRONG, faults};

const TOP: &str = "bloom_filter.v";

faults! {
    "bloom_filter";
    an_insertion_that_forgets_the_lines_before: TOP,
        "(_stage2_row_if_live[3:0] | bit0)" => "bit0",
        TRANSFER;
    an_insertion_into_one_sub_array_alone: TOP,
        "(_stage2_row_if_live[7:4] | bit1)" => "_stage2_row_if_live[7:4]",
        TRANSFER;
    a_row_that_outlives_its_clear: TOP,
        "{8{stage2_live}} & stage2_row" => "stage2_row",
        TRANSFER;
    a_hit_by_one_bit: TOP,
        "wire hit = &{has1, has0};" => "wire hit = |{has1, has0};",
        TRANSFER;
    a_sub_array_that_does_not_count: TOP,
        "wire hit = &{has1, has0};" => "wire hit = has1;",
        TRANSFER;
    a_row_read_before_the_insertion_right_ahead: TOP,
        "is_written ? row_after : (was_written ? row_before : row_read)" =>
            "was_written ? row_before : row_read",
        TRANSFER;
    a_row_read_as_it_is_written: TOP,
        "(was_written ? row_before : row_read)" => "row_read",
        TRANSFER;
    the_older_of_two_insertions: TOP,
        "is_written ? row_after : (was_written ? row_before : row_read)" =>
            "was_written ? row_before : (is_written ? row_after : row_read)",
        TRANSFER;
    a_row_forwarded_to_another_wavefront: TOP,
        "wire is_written = inserts & (stage1_wavefront == stage2_wavefront);" =>
            "wire is_written = inserts;",
        TRANSFER;
    a_row_forwarded_later_to_another_wavefront: TOP,
        "was_written <= inserts & (req_wavefront == stage2_wavefront);" =>
            "was_written <= inserts;",
        TRANSFER;
    a_query_that_forwards_its_bits: TOP,
        "wire is_written = inserts & (" => "wire is_written = stage2_valid & (",
        TRANSFER;
    a_query_that_inserts: TOP,
        "wire inserts = stage2_valid & (stage2_op == 2'd0);" =>
            "wire inserts = stage2_valid & ~stage2_op[1];",
        TRANSFER;
    a_clear_of_all_that_clears_one: TOP,
        "{3{clears_all}}" => "({3{clears_all}} & _stage2_wavefront_one_hot)",
        TRANSFER;
    a_clear_that_clears_all: TOP,
        "({3{clears}} & _stage2_wavefront_one_hot)" => "{3{clears}}",
        TRANSFER;
    a_valid_bit_read_before_the_request_ahead: TOP,
        "|(live_after & {" => "|(live & {",
        TRANSFER;
    a_query_by_nobody_without_an_answer: TOP,
        "wire enters = req_valid & (~is_malformed | (req_op == 2'd1));" =>
            "wire enters = req_valid & ~is_malformed;",
        MISSING;
    a_query_by_nobody_that_hits: TOP,
        "{(stage1_wavefront == 2'd2), (stage1_wavefront == 2'd1)," =>
            "{stage1_wavefront[1], (stage1_wavefront == 2'd1),",
        TRANSFER;
    a_clear_of_all_by_nobody_is_an_error: TOP,
        "(req_op != 2'd3) & (2'd3 <= req_wavefront)" => "(2'd3 <= req_wavefront)",
        TRANSFER;
    an_error_that_nobody_hears_of: TOP,
        "assign error_valid = malformed_came;" => "assign error_valid = 1'b0;",
        TRANSFER;
    an_error_for_a_request_that_was_not_accepted: TOP,
        "malformed_came <= req_valid & req_ready & is_malformed;" =>
            "malformed_came <= req_valid & is_malformed;",
        TRANSFER;
    a_bit_of_the_line_that_does_not_count: TOP,
        "wire [1:0] index0 = {(^(req_line & 3'd6))," => "wire [1:0] index0 = {(^(req_line & 3'd4)),",
        TRANSFER;
    two_sub_arrays_with_one_hash: TOP,
        "wire [1:0] index1 = {(^(req_line & 3'd1)), (^(req_line & 3'd6))};" =>
            "wire [1:0] index1 = index0;",
        TRANSFER;
    half_of_a_sub_array: TOP,
        "stage2_high0 <= {stage1_index0[1], ~stage1_index0[1]};" => "stage2_high0 <= 2'd1;",
        TRANSFER;
    valid_bits_that_reset_forgets: TOP,
        "            live <= 3'd0;\n" => "",
        TRANSFER;
    a_query_that_reset_forgets: TOP,
        "            stage2_valid <= 1'b0;\n" => "",
        TRANSFER;
    an_answer_lost_in_a_stall: TOP,
        "assign moves = out_in_ready;" => "assign moves = 1'b1;",
        MISSING;
    an_insertion_that_is_answered: TOP,
        "wire answers = stage2_valid & (stage2_op == 2'd1);" =>
            "wire answers = stage2_valid & ~stage2_op[1];",
        TRANSFER;
    an_answer_that_is_withdrawn: TOP,
        "assign resp_valid = out_out_valid;" => "assign resp_valid = out_out_valid & ~inserts;",
        UNSTABLE_OR_WRONG;
}

// At `tiny` no row has the number of nobody.
faults! {
    "bloom_filter", "fpga";
    an_insertion_by_nobody: TOP,
        "wire enters = req_valid & (~is_malformed | (req_op == 2'd1));" =>
            "wire enters = req_valid;",
        TRANSFER;
}
