//! Faults in the emitted Verilog of the write cache.

use crate::{TRANSFER, UNSTABLE_OR_WRONG, faults};

/// Something that stays inside, or others that leave in its place.
const LOST: &[&str] = &["different", "unexpected", "contract", "stuck"];

/// What only a rule forbids.
const RULE: &[&str] = &["contract"];

const TOP: &str = "qr_write_cache.v";

faults! {
    "qr_write_cache";
    a_flag_that_overtakes_its_release: TOP,
        "wire refused = is_early | has_no_bytes;" => "wire refused = has_no_bytes;",
        TRANSFER;
    a_wavefront_that_waits_for_ever: TOP,
        "~({2{ack_comes}} & {ack_of, ~ack_of});" => "2'd3;",
        LOST;
    a_store_of_no_byte_that_enters: TOP,
        "wire refused = is_early | has_no_bytes;" => "wire refused = is_early;",
        LOST;
    a_release_that_does_not_wait_for_invalidations: TOP,
        "wire release_is_due = drains_release & settled;" => "wire release_is_due = drains_release;",
        TRANSFER;
    a_release_that_counts_no_invalidation: TOP,
        "owed0 <= outstanding0 - {1'b0, acknowledges0};" => "owed0 <= 2'd0;",
        TRANSFER;
    an_eviction_without_an_invalidation: TOP,
        "invalidates <= writes_through;" => "invalidates <= writes_through & ~evicts;",
        TRANSFER;
    an_eviction_of_the_youngest_block: TOP,
        "victim = {_youngest_way_plus1, ~_youngest_way_plus1};" =>
        "victim = {~_youngest_way_plus1, _youngest_way_plus1};",
        RULE;
    an_eviction_that_is_not_written: TOP,
        "wire writes_through = block_is_cleared | evicts;" => "wire writes_through = block_is_cleared;",
        TRANSFER;
    a_drained_block_that_stays_dirty: TOP,
        "wire block_is_cleared = drain_writes_through | flushes;" => "wire block_is_cleared = flushes;",
        LOST;
    a_drained_block_that_is_not_written: TOP,
        "(drains_write & ~drains_dirty) | drain_clears" => "drains_write | drain_clears",
        TRANSFER;
    a_store_merged_into_a_block_that_drains: TOP,
        "wire writes_all = block_begins | refills_place;" => "wire writes_all = block_begins;",
        "wire fills_way = fills_place | refills_place;" => "wire fills_way = fills_place;",
        LOST;
    a_block_that_begins_without_an_entry: TOP,
        ".enqueue_valid(enqueues)" => ".enqueue_valid(enqueues & ~_enqueues_part_0)",
        LOST;
    an_atomic_that_leaves_before_it_completed: TOP,
        "wire atomic_completes = drains_atomic & (|atomics_finished);" => "wire atomic_completes = drains_atomic;",
        TRANSFER;
    an_atomic_that_overtakes_a_store_to_its_block: TOP,
        "wire atomic_goes_down = _request_valid_and_op_is1 & ~is_hit & slot_is_free;" =>
            "wire atomic_goes_down = _request_valid_and_op_is1 & slot_is_free & ~flushes;",
        "(_request_valid_and_op_is1 & is_hit))" => "1'b0)",
        LOST;
    a_read_that_hits_although_a_byte_is_clean: TOP,
        "wire covers = ~(|(issued_bytes & ~dirty_bytes));" => "wire covers = 1'b1;",
        TRANSFER;
    a_read_that_overtakes_what_is_dirty: TOP,
        "& ~compares & ~is_known & slot_is_free;" => "& ~compares & ~is_known & 1'b0;",
        "(_request_valid_and_op_is2 & ~is_hit & ~has_hit & slot_is_free)" =>
            "(_request_valid_and_op_is2 & slot_is_free)",
        TRANSFER;
    too_many_invalidations: TOP,
        "wire slot_and_inv_room = slot_is_free & inv_room;" => "wire slot_and_inv_room = slot_is_free;",
        LOST;
    bytes_that_are_forgotten_in_a_merge: TOP,
        ".w0_lanes(request_bytes | {2{writes_all}})" => ".w0_lanes(2'd3)",
        TRANSFER;
    bytes_that_are_kept_of_the_block_before: TOP,
        ".w0_lanes(request_bytes | {2{writes_all}})" => ".w0_lanes(request_bytes)",
        TRANSFER;
    an_evicted_block_that_leaves_its_tag: TOP,
        ".w0_enable(block_begins)" => ".w0_enable(fills_place)",
        LOST;
    a_request_right_after_its_block_began: TOP,
        "arriving_begun <= {2{arriving_next_set_is_request}} & begins;" => "arriving_begun <= 2'd0;",
        LOST;
    a_request_that_arrives_as_its_block_begins: TOP,
        "({2{arriving_tag_is_request}} & _request0_match_next);" => "2'd0;",
        LOST;
    a_request_that_waits_as_its_block_begins: TOP,
        "({2{requests_of_one_tag}} & _request1_match_next);" => "2'd0;",
        LOST;
    a_request_that_is_kept_waiting_as_its_block_begins: TOP,
        "arriving_begun <= arriving_begun | ({2{arriving_set_is_request}} & begins);" =>
            "arriving_begun <= arriving_begun;",
        LOST;
    a_request_that_waits_as_another_block_takes_the_way: TOP,
        "(arriving_match & ~_request0_match_next) |" => "arriving_match |",
        LOST;
    a_read_that_is_decided_on_before_its_bytes_are_compared: TOP,
        "is_known <= compares | (is_known & ~request_leaves);" =>
            "is_known <= probes | (is_known & ~request_leaves);",
        LOST;
    an_entry_that_does_not_see_another_block_begin: TOP,
        "next_drain_begun <= {2{next_drain_next_set_is_request}} & begins;" => "next_drain_begun <= 2'd0;",
        LOST;
    a_block_that_begins_while_another_drains: TOP,
        "drain_match <= drain_match & ~({2{drain_set_is_request}} & begins);" => "drain_match <= drain_match;",
        LOST;
    a_tag_with_a_bit_ignored: TOP,
        "(arriving_way0_tag == arriving_block[2:1])" => "(arriving_way0_tag[0] == arriving_block[1])",
        LOST;
    an_entry_s_tag_with_a_bit_ignored: TOP,
        "(next_drain_way1_tag == next_drain_block[2:1])" => "(next_drain_way1_tag[0] == next_drain_block[1])",
        LOST;
    a_block_that_reset_leaves_dirty: TOP,
        "            way0_dirty <= 2'd0;\n" => "",
        LOST;
    a_way_down_that_forgets_in_a_stall: TOP,
        "wire issue_is_free = ~issued | way_down;" => "wire issue_is_free = 1'b1;",
        LOST;
    an_offer_that_changes_under_a_stall: "skid_buffer_w25.v",
        "wire leaves = out_ready | ~valid;" => "wire leaves = 1'b1;",
        UNSTABLE_OR_WRONG;
}
