//! Faults in the emitted Verilog of the commit unit.

use crate::{MISSING, TRANSFER, UNSTABLE, UNSTABLE_OR_WRONG, faults};

const TOP: &str = "getm_commit.v";

faults! {
    "getm_commit";
    a_word_in_the_wrong_slot: TOP,
        "{place1_lap, 1'b1}" => "{place1_lap, 1'b0}",
        TRANSFER;
    the_bytes_of_an_aborted_write: TOP,
        "wire _item_kind_is0 = item_kind == 2'd0;" => "wire _item_kind_is0 = is_write;",
        TRANSFER;
    a_count_that_is_not_added: TOP,
        "place1_count <= sum[1:0];" => "place1_count <= item_count;",
        TRANSFER;
    a_count_that_wraps: TOP,
        "wire too_many_writes = (|matching) & sum[2];" => "wire too_many_writes = 1'b0;",
        TRANSFER;
    a_release_before_its_region_is_written: TOP,
        "wire is_written = write_done | ~has_bytes;" => "wire is_written = 1'b1;",
        UNSTABLE;
    a_write_of_nothing: TOP,
        "assign write_valid = region_buffer_out_valid & has_bytes & release_room;" =>
        "assign write_valid = region_buffer_out_valid & release_room;",
        UNSTABLE_OR_WRONG;
    the_end_of_a_log_that_closes_nothing: TOP,
        "|\n        {2{_item_kind_is2}});" => ");",
        TRANSFER;
    a_region_that_waits_one_item_too_long: TOP,
        "(place0_age == 3'd5)" => "(place0_age == 3'd6)",
        TRANSFER;
    a_region_that_is_too_old_and_takes_one_more: TOP,
        "wire [1:0] matching = open & ~_is_old_and_open & same_region" =>
        "wire [1:0] matching = open & same_region",
        TRANSFER;
    a_closed_region_that_takes_one_more: TOP,
        "wire [1:0] matching = open & ~_is_old_and_open & same_region" =>
        "wire [1:0] matching = ~_is_old_and_open & same_region",
        TRANSFER;
    a_region_that_stays_although_all_of_it_is_written: TOP,
        "place0_open <= ~(&place0_bytes_with_item);" => "place0_open <= 1'b1;",
        TRANSFER;
    an_oldest_region_that_stays_in_a_full_window: TOP,
        "| (begins & (in_window == 3'd2)));" => ");",
        TRANSFER;
    a_full_ring_that_takes_one_more: TOP,
        "wire ring_is_full = (tail - head) == 3'd4;" => "wire ring_is_full = 1'b0;",
        TRANSFER;
    bytes_that_were_never_written: TOP,
        "(data_read & {{8{sizes_read[3]}}, {8{sizes_read[2]}}})" => "data_read",
        TRANSFER;
    a_region_compared_in_part: TOP,
        "(place0_granule == item_address[3:1])" => "(place0_granule[1:0] == item_address[2:1])",
        TRANSFER;
    an_abort_of_no_writes_that_is_no_error: TOP,
        "wire counts_no_writes = is_write & (item_count == 2'd0);" =>
        "wire counts_no_writes = (item_kind == 2'd0) & (item_count == 2'd0);",
        MISSING;
}
