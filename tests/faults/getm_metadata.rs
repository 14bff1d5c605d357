//! Faults in the emitted Verilog of the metadata table.

use crate::{TRANSFER, faults};

const TOP: &str = "getm_metadata.v";

faults! {
    "getm_metadata";
    a_victim_that_one_way_of_the_bloom_filter_forgets: TOP,
        "wire _bloom0_insertion_w0_enable = in_clear | (stage6_victim_valid & victims_advance);" =>
        "wire _bloom0_insertion_w0_enable = in_clear;",
        TRANSFER;
    a_lower_time_that_replaces_a_higher: TOP,
        "((stage6_bloom1[7:4] < stage6_victim_wts) ? stage6_victim_wts : stage6_bloom1[7:4])" =>
        "stage6_victim_wts",
        TRANSFER;
    a_displaced_entry_that_is_dropped: TOP,
        "wire inserts = (done & is_new) | in_place;" => "wire inserts = done & is_new;",
        TRANSFER;
    an_entry_too_many_displaced: TOP,
        "wire may_kick = kicks != 2'd2;" => "wire may_kick = kicks != 2'd3;",
        TRANSFER;
    always_the_same_bank_displaced: TOP,
        "kick_bank <= {kick_bank[0], kick_bank[1]};" => "kick_bank <= kick_bank;",
        TRANSFER;
    a_load_at_the_time_of_the_write: TOP,
        "(stage4_warpts < selected_wts)" => "(stage4_warpts <= selected_wts)",
        TRANSFER;
    an_owner_that_is_not_checked: TOP,
        "((selected_owner == stage4_warp) &" => "(",
        TRANSFER;
    an_earlier_transaction_of_the_warp_that_passes_for_this_one: TOP,
        "(selected_wts == stage4_successor)" => "1'b1",
        TRANSFER;
    a_write_that_the_next_request_does_not_see: TOP,
        "stage5_leaves_it ? facts_left : (stage4_hit" => "(stage4_hit",
        TRANSFER;
    a_hit_that_the_next_request_does_not_see: TOP,
        "bank_hits_left | (replaced_candidates & {2{stage4_granule_in_stage5}});" => "bank_hits_left;",
        TRANSFER;
    a_hit_that_the_request_after_the_next_does_not_see: TOP,
        "stage3_bank1_replaced ? stage3_granule_in_stage5 :" => "",
        TRANSFER;
    a_place_that_the_request_before_has_taken: TOP,
        "wire [1:0] empty_now = empty_candidates & ~replaced_candidates;" =>
        "wire [1:0] empty_now = empty_candidates;",
        TRANSFER;
    a_reservation_that_the_next_victim_does_not_see: TOP,
        "({2{~reserved_after}} & replaced_candidates)" => "replaced_candidates",
        TRANSFER;
    times_of_the_request_before_that_its_victim_lacks: TOP,
        "replaced_candidates[0] ? after_entry[14:0] :" => "",
        TRANSFER;
    a_load_before_that_is_compared_as_if_it_changed_nothing: TOP,
        "(raises_rts ? (stage4_warpts < stage5_warpts) : (stage4_warpts < before_rts))" =>
        "(stage4_warpts < before_rts)",
        TRANSFER;
    a_store_before_that_is_compared_as_if_it_changed_nothing: TOP,
        "(reserves ? (stage4_warpts <= stage5_warpts) : (stage4_warpts < before_wts))" =>
        "(stage4_warpts < before_wts)",
        TRANSFER;
    writes_of_the_request_before_that_are_not_counted: TOP,
        "(counts ? (before_counted + stage4_counts) :\n        (before_writes + stage4_counts))" =>
        "(before_writes + stage4_counts)",
        TRANSFER;
    a_write_that_the_request_after_the_next_does_not_see: TOP,
        "stage4_bank0 <= stage3_bank0_replaced ? after_entry : stage3_bank0;" =>
        "stage4_bank0 <= stage3_bank0;",
        TRANSFER;
    a_write_that_the_third_request_does_not_see: TOP,
        "stage3_bank1 <= stage2_bank1_replaced ? after_entry : bank1_read;" =>
        "stage3_bank1 <= bank1_read;",
        TRANSFER;
    a_write_at_the_edge_of_the_read: TOP,
        "wire [15:0] bank0_read = bank0_bypass ? bank0_written : bank0_ram;" =>
        "wire [15:0] bank0_read = bank0_ram;",
        TRANSFER;
    a_victim_that_the_next_request_does_not_see: TOP,
        "wire stage4_bloom0_victim_maps = stage5_evicts & (victim_row0 == stage4_bloom_row0);" =>
        "wire stage4_bloom0_victim_maps = 1'b0;",
        TRANSFER;
    a_victim_that_the_request_after_the_next_does_not_see: TOP,
        "(stage5_evicts & (victim_row0 == stage3_bloom_row0)) ? _stage4_bloom0_next :\n                \
         stage3_bloom0;" => "stage3_bloom0;",
        TRANSFER;
    a_victim_that_the_third_request_does_not_see: TOP,
        "wire stage2_bloom1_victim_maps = stage5_evicts & (victim_row1 == stage2_bloom_row1);" =>
        "wire stage2_bloom1_victim_maps = 1'b0;",
        TRANSFER;
    a_victim_that_the_fourth_request_does_not_see: TOP,
        "stage6_victim_valid & (stage6_victim_row0 == stage2_bloom_row0);" => "1'b0;",
        TRANSFER;
    the_later_of_two_victims_that_does_not_win: TOP,
        "~(stage2_bloom1_older_victim_maps & (stage5_victim_wts < stage6_victim_wts));" => "1'b1;",
        TRANSFER;
    a_wrong_way_that_counts_as_the_least: TOP,
        "stage4_rts0_above1 <= ~_stage4_rts0_above1_next_0;" =>
        "stage4_rts0_above1 <= _stage4_rts0_above1_next_0;",
        TRANSFER;
    rows_that_are_not_read_again_after_a_walk: TOP,
        "state <= clearing ? STATE_CLEAR : STATE_TURN;" =>
        "state <= clearing ? STATE_CLEAR : STATE_RUN;",
        TRANSFER;
    a_count_that_underflows: TOP,
        "((stage5_count == 2'd0) | (before_writes < stage5_count))" => "(stage5_count == 2'd0)",
        TRANSFER;
    a_count_that_wraps: TOP,
        "wire aborts_count = _stage5_op_is1_and_is_access & (is_mine & (&before_writes));" =>
        "wire aborts_count = 1'b0;",
        TRANSFER;
    a_read_that_lowers_the_time: TOP,
        "wire raises_rts = _stage5_op_is0_and_is_access & _raises_rts_part & ~before_read_later;" =>
        "wire raises_rts = _stage5_op_is0_and_is_access & _raises_rts_part;",
        TRANSFER;
    a_write_at_the_time_itself: TOP,
        "wire [3:0] after_wts = reserves ? stage5_successor : before_wts;" =>
        "wire [3:0] after_wts = reserves ? stage5_warpts : before_wts;",
        TRANSFER;
    a_stash_that_a_clear_does_not_empty: TOP,
        "        if (clears) begin\n            stash0_valid <= 1'b0;\n        end\n" => "",
        TRANSFER;
    a_stash_victim_that_is_forgotten: TOP,
        "stage5_evicts <= in_leave & stash_evicts;" => "stage5_evicts <= 1'b0;",
        TRANSFER;
    a_stash_hit_that_changes_nothing: TOP,
        "(updates & stage5_stash_hits) | stash_taken;" => "stash_taken;",
        TRANSFER;
    an_overflow_space_that_is_not_asked: TOP,
        "& ~stage5_hit & overflow_in_use & ~overflow_answered;" => "& 1'b0;",
        TRANSFER;
    an_overflow_space_that_is_in_use_no_more_once_an_entry_leaves: TOP,
        "overflow_in_use <= overflow_count != 5'd1;" => "overflow_in_use <= 1'b0;",
        TRANSFER;
    an_overflow_entry_that_stays_when_it_is_free: TOP,
        "assign overflow_remove = done & in_overflow & frees;" => "assign overflow_remove = 1'b0;",
        TRANSFER;
    an_overflow_entry_whose_times_are_forgotten: TOP,
        "stage5_evicts <= (stage5_op == 2'd2) & (stage5_count == overflow_resp_writes);" =>
        "stage5_evicts <= 1'b0;",
        TRANSFER;
    a_clear_while_something_is_reserved: TOP,
        "one_more_reserved | ((|reserved_count) & ~(one_less_reserved & (reserved_count == 5'd1)));" =>
        "1'b0;",
        TRANSFER;
    a_reservation_that_is_counted_too_late_for_a_clear: TOP,
        "one_more_reserved | ((|reserved_count)" => "((|reserved_count)",
        TRANSFER;
    an_error_for_every_clock_of_a_stall: TOP,
        "error_raised <= done & is_error;" => "error_raised <= busy & is_error;",
        TRANSFER;
    a_granule_compared_in_part: TOP,
        "(stage3_bank1_granule == stage3_address[4:1])" =>
        "(stage3_bank1_granule[2:0] == stage3_address[3:1])",
        TRANSFER;
}
