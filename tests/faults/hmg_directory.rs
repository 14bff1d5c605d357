//! Faults in the emitted Verilog of the directory.

use crate::{STUCK, TRANSFER, UNSTABLE, UNSTABLE_OR_WRONG, faults};

const TOP: &str = "hmg_directory.v";

faults! {
    "hmg_directory";
    a_wrong_sharer_bit: TOP,
        "stage2_source <= stage1_source_sharer;" =>
        "stage2_source <= {stage1_source_sharer[1:0], stage1_source_sharer[2]};",
        TRANSFER;
    lost_forwarding_of_a_write_at_the_edge_of_the_read: TOP,
        "stage3_read <= stage2_set_in_stage5 ? stage5_row : row_read;" =>
        "stage3_read <= row_read;",
        TRANSFER;
    lost_forwarding_of_a_write_after_the_read: TOP,
        "= stage3_set_in_stage5 ? stage5_row : stage3_read;" => "= stage3_read;",
        TRANSFER;
    lost_forwarding_of_the_set_in_stage_4: TOP,
        "stage4_row <= stage3_set_in_stage4 ? updated_row : stage3_row;" =>
        "stage4_row <= stage3_row;",
        TRANSFER;
    a_tag_that_stage_4_brings_unnoticed: TOP,
        "stage4_filled[1] ? stage3_tag_in_stage4 :" => "1'b0 ? stage3_tag_in_stage4 :",
        TRANSFER;
    a_tag_that_stage_5_has_brought_unnoticed: TOP,
        "stage3_filled[0] ? stage3_tag_in_stage5 :" => "1'b0 ? stage3_tag_in_stage5 :",
        TRANSFER;
    lost_forwarding_of_a_tag_at_the_edge_of_the_read: TOP,
        "stage3_way0_tag <= stage2_filled[0] ? stage5_tag : way0_tag_read;" =>
        "stage3_way0_tag <= way0_tag_read;",
        TRANSFER;
    lost_forwarding_of_a_victims_tag: TOP,
        "(stage3_filled[0] ? stage5_tag : stage3_way0_tag)" => "stage3_way0_tag",
        TRANSFER;
    a_tag_that_is_not_written: TOP,
        ".w0_enable(filled_way[1] & advance)" => ".w0_enable(1'b0)",
        TRANSFER;
    a_victim_that_is_not_invalidated: TOP,
        "({3{evict}} & sharers_victim)" => "3'd0",
        TRANSFER;
    a_way_off_by_one: TOP,
        "any_hit ? hits : room;" => "any_hit ? hits : {room[0], room[1]};",
        TRANSFER;
    a_source_that_is_not_excluded: TOP,
        "= sharers_hit & ~stage4_source;" => "= sharers_hit;",
        TRANSFER;
    ready_stuck_after_an_error: TOP,
        "assign req_ready = advance & clear_next[1];" =>
        "reg stuck; always @(posedge clk) stuck <= ~rst & (stuck | error_raised);\n\
         assign req_ready = advance & clear_next[1] & ~stuck;",
        "stage1_valid <= req_valid & clear_next[1];" => "stage1_valid <= req_valid & req_ready;",
        STUCK;
    an_invalidation_dropped_under_a_stall: TOP,
        "wire inv_sent = inv_done | ~has_inv;" => "wire inv_sent = 1'b1;",
        UNSTABLE;
    an_answer_before_its_invalidation: TOP,
        ".in_valid(effect_out_valid & inv_sent)" => ".in_valid(effect_out_valid)",
        UNSTABLE_OR_WRONG;
    a_forwarded_invalidation_of_gpu_sharers: TOP,
        "(sharers_hit & 3'd3)" => "sharers_hit",
        TRANSFER;
    an_entry_that_stays_after_its_last_downgrade: TOP,
        "wire valid_after = ~stage4_invalidate & (|sharers_after);" =>
        "wire valid_after = ~stage4_invalidate & ((|sharers_after) | stage4_downgrade);",
        TRANSFER;
    a_local_store_that_keeps_the_sharers: TOP,
        "stage4_store ? stage4_source :\n" => "(stage4_store & (|stage4_source)) ? stage4_source :\n",
        TRANSFER;
    a_hit_that_does_not_touch_the_recency: TOP,
        "((changes & access) ? ((stage4_recency" =>
        "((changes & access & ~any_hit) ? ((stage4_recency",
        TRANSFER;
    the_most_recently_used_as_victim: TOP,
        "{way1_is_victim, way0_is_victim}" => "{way0_is_victim, way1_is_victim}",
        TRANSFER;
    an_atomic_without_meaning: TOP,
        " | ((stage1_op == 3'd2) & ~stage1_is_error);" => ";",
        TRANSFER;
    an_error_that_changes_the_state: TOP,
        "stage2_load <= (stage1_op == 3'd0) & ~stage1_is_error;" =>
        "stage2_load <= stage1_op == 3'd0;",
        TRANSFER;
    ram_that_is_not_cleared: TOP,
        ".w0_enable(~clear_next[1] | " => ".w0_enable(",
        TRANSFER;
    an_invalidation_that_is_not_aligned: TOP,
        "{effect_inv_block, 3'd0}" => "{effect_inv_block, 3'd4}",
        TRANSFER;
    an_offer_that_changes_under_a_stall: TOP,
        "assign inv_sharers = effect_inv_sharers;" =>
        "assign inv_sharers = inv_ready ? effect_inv_sharers : 3'd7;",
        UNSTABLE;
    a_full_buffer_that_takes_one_more: "skid_buffer_w3.v",
        "assign in_ready = ~skid_valid;" => "assign in_ready = 1'b1;",
        TRANSFER;
    a_tag_compared_in_part: TOP,
        "(stage3_way1_tag == stage3_block[2:1])" => "(stage3_way1_tag[0] == stage3_block[1])",
        TRANSFER;
    an_error_pulse_for_every_clock_of_a_stall: TOP,
        "stage1_valid & advance & stage1_is_error;" => "stage1_valid & stage1_is_error;",
        TRANSFER;
    a_valid_that_waits_for_ready: TOP,
        "assign resp_valid = answer_out_valid;" =>
        "assign resp_valid = answer_out_valid & resp_ready;",
        STUCK;
    an_init_done_that_is_always_high: TOP,
        "assign init_done = clear_next[1];" => "assign init_done = 1'b1;",
        TRANSFER;
    a_reserved_op_without_an_error: TOP,
        "= 3'd5 < stage1_op;" => "= stage1_op == 3'd6;",
        TRANSFER;
    a_stage_that_reset_does_not_empty: TOP,
        "            stage3_valid <= 1'b0;\n" => "",
        TRANSFER;
    a_request_taken_before_the_ram_is_clear: TOP,
        "assign req_ready = advance & clear_next[1];" => "assign req_ready = advance;",
        TRANSFER;
}

// A preset whose victims are never in flight, so that tags are only compared.
faults! {
    "hmg_directory", "fpga";
    a_tag_brought_at_the_edge_of_the_read_unnoticed: TOP,
        "stage3_read_filled <= stage2_filled;" => "stage3_read_filled <= 4'd0;",
        TRANSFER;
}
