//! Faults in the emitted Verilog of the write cache.

use crate::{TRANSFER, UNSTABLE_OR_WRONG, faults};

/// Something that stays inside, or others that leave in its place.
const LOST: &[&str] = &["different", "unexpected", "contract", "stuck"];

const TOP: &str = "qr_write_cache.v";
const ENTRY: &str = "qr_write_cache_entry.v";

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
    an_eviction_that_is_not_written: TOP,
        "wire writes_through = drain_writes_through | evicts | flushes;" =>
            "wire writes_through = drain_writes_through | flushes;",
        TRANSFER;
    a_drained_block_that_stays_dirty: TOP,
        "({4{flushes}} & hit) | ({4{drain_clears}} & drained);" => "({4{flushes}} & hit);",
        LOST;
    a_drained_block_that_is_not_written: TOP,
        "(drains_write & ~drains_dirty) | drain_clears" => "drains_write | drain_clears",
        TRANSFER;
    a_store_merged_into_a_block_that_drains: TOP,
        "wire held_by_drain = |(hit & drained);" => "wire held_by_drain = 1'b0;",
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
        "was_covered <= ~(|(request_bytes & ~hit_place_bytes));" => "was_covered <= 1'b1;",
        TRANSFER;
    a_read_that_overtakes_what_is_dirty: TOP,
        "wire read_is_known = _request_valid_and_op_is2 & is_hit & was_looked_at;" =>
            "wire read_is_known = 1'b0;",
        "(_request_valid_and_op_is2 & ~is_hit & slot_is_free)" => "(_request_valid_and_op_is2 & slot_is_free)",
        TRANSFER;
    too_many_invalidations: TOP,
        "wire slot_and_inv_room = slot_is_free & inv_room;" => "wire slot_and_inv_room = slot_is_free;",
        LOST;
    bytes_that_are_forgotten_in_a_merge: ENTRY,
        "dirty_bytes <= dirty_bytes | request_bytes;" => "dirty_bytes <= request_bytes;",
        TRANSFER;
    bytes_that_are_kept_of_the_block_before: ENTRY,
        "dirty_bytes <= request_bytes;" => "dirty_bytes <= dirty_bytes | request_bytes;",
        TRANSFER;
    a_request_right_after_its_block_began: ENTRY,
        "(fills ? arriving_is_request : (block_tag == arriving_tag))" => "(block_tag == arriving_tag)",
        LOST;
    a_request_that_waits_as_its_block_begins: ENTRY,
        "is_request1 <= fills_other;" => "is_request1 <= 1'b0;",
        LOST;
    a_read_that_is_decided_on_before_its_bytes_are_compared: TOP,
        "wire read_is_known = _request_valid_and_op_is2 & is_hit & was_looked_at;" =>
            "wire read_is_known = _request_valid_and_op_is2 & is_hit;",
        LOST;
    a_block_that_begins_while_its_entry_drains: ENTRY,
        "is_drained <= fills_drained;" => "is_drained <= 1'b1;",
        LOST;
    a_tag_with_a_bit_ignored: ENTRY,
        "(block_tag == arriving_tag)" => "(block_tag[0] == arriving_tag[0])",
        LOST;
    a_block_that_reset_leaves_dirty: ENTRY,
        "            is_dirty <= 1'b0;\n" => "",
        LOST;
    a_way_down_that_forgets_in_a_stall: TOP,
        "wire issue_is_free = ~issued | way_down;" => "wire issue_is_free = 1'b1;",
        LOST;
    an_offer_that_changes_under_a_stall: "skid_buffer_w25.v",
        "wire leaves = out_ready | ~valid;" => "wire leaves = 1'b1;",
        UNSTABLE_OR_WRONG;
}
