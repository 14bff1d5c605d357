//! Faults in the emitted Verilog of the Z-buffer commit unit.

use crate::{TRANSFER, UNSTABLE_OR_WRONG, faults};

const TOP: &str = "zbuffer_commit.v";
/// A request that never goes on, or that others wait for too long.
const LATE: &[&str] = &["stuck", "contract"];

faults! {
    "zbuffer_commit";
    a_request_that_does_not_wait_for_an_older_one_of_its_block: TOP,
        "entry1_before <= {go_before[3:2], go_before[0]};" => "entry1_before <= 3'd0;",
        TRANSFER;
    a_request_that_waits_for_one_of_another_block: TOP,
        "entry1_block == req_address[5:3]" => "entry1_block[1:0] == req_address[4:3]",
        LATE;
    a_tag_compared_in_part: TOP,
        "stage2_tags[1:0] == stage2_block[2:1]" => "stage2_tags[0] == stage2_block[1]",
        TRANSFER;
    a_block_that_was_just_evicted_and_hits: TOP,
        "wire [1:0] hit_way = stage3_matches & valid_here & ~locked_here;" =>
        "wire [1:0] hit_way = stage3_matches & valid_here;",
        TRANSFER;
    a_block_that_was_discarded_and_hits: TOP,
        "wire [1:0] hit_way = stage3_matches & valid_here & ~locked_here;" =>
        "wire [1:0] hit_way = stage3_matches & ~locked_here;",
        TRANSFER;
    a_locked_block_that_is_evicted: TOP,
        "wire [1:0] _not_locked_here_and_above_last_way = ~locked_here & above_last_way;" =>
        "wire [1:0] _not_locked_here_and_above_last_way = above_last_way;",
        TRANSFER;
    a_set_that_is_locked_and_has_room: TOP,
        "wire no_room = no_way | (&miss_reserved) | yields;" =>
        "wire no_room = (&miss_reserved) | yields;",
        TRANSFER;
    a_miss_without_a_comparator_entry: TOP,
        "wire no_room = no_way | (&miss_reserved) | yields;" => "wire no_room = no_way | yields;",
        TRANSFER;
    less_for_less_or_equal: TOP,
        "$signed(stage5_old[2:0]) >= $signed" => "$signed(stage5_old[2:0]) > $signed",
        TRANSFER;
    depths_without_their_sign: TOP,
        "($signed(stage5_old[5:3]) >= $signed(stage5_request[2:0]))" =>
        "(stage5_old[5:3] >= stage5_request[2:0])",
        TRANSFER;
    a_lane_that_is_not_in_the_mask_and_wins: TOP,
        "stage5_request[4] & ($signed" => "($signed",
        TRANSFER;
    a_depth_that_loses_and_is_kept: TOP,
        "depth1_wins ? stage5_request[2:0] : stage5_old[5:3];" => "stage5_request[2:0];",
        TRANSFER;
    depths_that_come_and_are_not_used: TOP,
        "stage5_old <= stage4_fills ? stage4_filled : stage4_cached;" =>
        "stage5_old <= stage4_cached;",
        TRANSFER;
    depths_that_are_read_before_they_are_written: TOP,
        "miss0_awaits <= awaits_written & ~zwrite_acknowledged;" => "miss0_awaits <= 2'd0;",
        TRANSFER;
    an_evicted_block_that_is_not_written: TOP,
        "wire evicts = reserves & (|(new_way & valid_here));" => "wire evicts = 1'b0;",
        TRANSFER;
    a_comparator_entry_released_before_its_block_is_written: TOP,
        "(miss1_compared & ~miss1_unwritten)" => "miss1_compared",
        UNSTABLE_OR_WRONG;
    an_evicted_block_compared_in_part: TOP,
        "miss1_evicted == stage3_block" => "miss1_evicted[1:0] == stage3_block[1:0]",
        LATE;
    requests_without_room_that_never_try_again: TOP,
        "wire all_retry = retry_clock == 3'd0;" => "wire all_retry = 1'b0;",
        LATE;
    a_request_without_room_that_does_not_go_back: TOP,
        "wire _stage3_here_bit2_and_refused = stage3_here[2] & refused;" =>
        "wire _stage3_here_bit2_and_refused = 1'b0;",
        LATE;
    a_block_that_stays_locked: TOP,
        "assign unlocked_set = {2{stage5_compares}} & {stage5_set, ~stage5_set};" =>
        "assign unlocked_set = {2{stage5_compares}} & {1'b0, ~stage5_set};",
        LATE;
    a_request_that_loses_and_is_not_acknowledged: TOP,
        "wire loses = stage5_compares & ~(|wins);" => "wire loses = 1'b0;",
        LATE;
    an_acknowledgement_before_the_color_is_written: TOP,
        "wire loses = stage5_compares & ~(|wins);" => "wire loses = stage5_compares;",
        TRANSFER;
    a_color_that_is_not_written: TOP,
        "wire writes_color = stage5_compares & (|wins);" =>
        "wire writes_color = stage5_compares & wins[0];",
        LATE;
    a_color_of_another_lane: TOP,
        "assign color_mask = {{4{color_wins[1]}}, {4{color_wins[0]}}};" =>
        "assign color_mask = {{4{color_wins[0]}}, {4{color_wins[1]}}};",
        TRANSFER;
    a_z_cache_that_is_not_discarded: TOP,
        "wire discards = (reset_state == RESET_DRAINS) & is_at_rest;" => "wire discards = 1'b0;",
        TRANSFER;
    a_reset_that_does_not_wait_for_writes: TOP,
        "wire is_at_rest = ~(|live) & ~(|miss_reserved) & ~ack_shown;" =>
        "wire is_at_rest = ~(|live) & ~ack_shown;",
        TRANSFER;
    a_request_that_is_taken_in_a_reset: TOP,
        "assign req_ready = ~(&live) & ~is_resetting;" => "assign req_ready = ~(&live);",
        TRANSFER;
    an_entry_that_is_not_used: TOP,
        "assign req_ready = ~(&live) & ~is_resetting;" =>
        "assign req_ready = ~(&live[3:1]) & ~is_resetting;",
        LATE;
    a_request_that_finds_no_entry: TOP,
        "assign req_ready = ~(&live) & ~is_resetting;" => "assign req_ready = ~is_resetting;",
        TRANSFER;
    a_part_of_a_word_that_is_no_error: TOP,
        "wire lane1_is_in_part = (|req_mask[7:4]) & ~(&req_mask[7:4]);" =>
        "wire lane1_is_in_part = (|req_mask[7:4]) & ~(|req_mask[6:4]);",
        TRANSFER;
}
