//! Faults in the emitted Verilog of the synchronization FIFO.

use crate::{TRANSFER, UNSTABLE_OR_WRONG, faults};

/// An entry that stays inside, or others that leave in its place.
const LOST: &[&str] = &["different", "unexpected", "contract", "stuck"];

const TOP: &str = "s_fifo.v";
const SKID: &str = "skid_buffer_w4.v";

faults! {
    "s_fifo";
    a_full_fifo_that_does_not_drain: TOP,
        "wire drains = full | (|to_release);" => "wire drains = |to_release;",
        LOST;
    a_release_that_drains_nothing: TOP,
        "wire drains = full | (|to_release);" => "wire drains = full;",
        LOST;
    a_fifo_that_always_drains: TOP,
        "wire drains = full | (|to_release);" => "wire drains = |entries_held;",
        TRANSFER;
    draining_that_begins_one_entry_early: TOP,
        "wire full = entries_held[2];" => "wire full = entries_held >= 3'd3;",
        TRANSFER;
    draining_that_ends_with_the_first_of_two_releases: TOP,
        "if (pushes_release) begin" => "if (pushes_release & ~(|to_release)) begin",
        LOST;
    draining_that_goes_on_behind_a_release: TOP,
        "to_release <= to_release - 3'd1;" => "to_release <= to_release - 3'd1 + {2'd0, push};",
        TRANSFER;
    draining_that_ends_ahead_of_a_release: TOP,
        "to_release <= held_next;" => "to_release <= entries_held;",
        LOST;
    a_release_that_does_not_count_what_leaves_with_it: TOP,
        "to_release <= held_next;" => "to_release <= entries_held + 3'd1;",
        TRANSFER;
    an_atomic_taken_for_a_release: TOP,
        "wire pushes_release = push & enqueue_kind[1];" => "wire pushes_release = push & (|enqueue_kind);",
        TRANSFER;
    a_full_ring_that_takes_one_more: TOP,
        "assign enqueue_ready = ~full | way_out;" => "assign enqueue_ready = 1'b1;",
        TRANSFER;
    a_full_ring_that_takes_none_while_it_drains: TOP,
        "assign enqueue_ready = ~full | way_out;" => "assign enqueue_ready = ~full;",
        TRANSFER;
    an_entry_that_leaves_without_a_place: TOP,
        "wire pop = drains & way_out;" => "wire pop = drains;",
        LOST;
    an_entry_that_never_leaves: TOP,
        "wire pop = drains & way_out;" => "wire pop = 1'b0;",
        TRANSFER;
    an_entry_that_the_ring_has_not_yet_read: TOP,
        "wire [1:0] read_next = pop ? (read_pointer + 2'd1) : read_pointer;" =>
            "wire [1:0] read_next = read_pointer + {1'b0, pop}; wire [1:0] read_late = read_pointer;",
        ".r0_address(read_next)" => ".r0_address(read_late)",
        TRANSFER;
    a_pointer_that_reset_forgets: TOP,
        "            write_pointer <= 2'd0;\n" => "",
        TRANSFER;
    a_count_that_reset_forgets: TOP,
        "            to_release <= 3'd0;\n" => "",
        TRANSFER;
    a_reserved_kind_that_enters: TOP,
        "wire push = enqueue_valid & enqueue_ready & ~is_reserved;" =>
            "wire push = enqueue_valid & enqueue_ready;",
        LOST;
    a_reserved_kind_without_an_error: TOP,
        "assign error_valid = reserved_came;" => "assign error_valid = 1'b0;",
        TRANSFER;
    an_error_for_an_entry_that_was_not_accepted: TOP,
        "reserved_came <= enqueue_valid & enqueue_ready & is_reserved;" =>
            "reserved_came <= enqueue_valid & is_reserved;",
        TRANSFER;
    a_release_that_shows_a_block: TOP,
        "assign dequeue_block = {2{~out_kind[1]}} & out_content;" => "assign dequeue_block = out_content;",
        TRANSFER;
    a_write_that_wants_an_answer: TOP,
        "assign dequeue_needs_ack = out_content[0] & out_kind[1];" =>
            "assign dequeue_needs_ack = out_content[0];",
        TRANSFER;
    a_wavefront_in_the_place_of_its_answer: TOP,
        "{enqueue_wavefront, enqueue_needs_ack}" => "{enqueue_needs_ack, enqueue_wavefront}",
        TRANSFER;
    an_entry_lost_in_a_stall: SKID,
        "skid_valid <= ~leaves & (in_valid | skid_valid);" => "skid_valid <= 1'b0;",
        LOST;
    an_output_that_closes: TOP,
        "assign dequeue_valid = out_out_valid;" => "assign dequeue_valid = out_out_valid & ~full;",
        UNSTABLE_OR_WRONG;
}
