//! Faults in the emitted Verilog of the composition scheduler.

use crate::{TRANSFER, UNSTABLE_OR_WRONG, faults};

/// A transfer that never starts, or a group that never ends, shows as stuck or by the contract's clocks.
const WRONG_OR_STUCK: &[&str] = &["different", "unexpected", "contract", "stuck"];
/// The reference alone tells which pair goes first: no rule does.
const PREFERENCE: &[&str] = &["different"];

const TOP: &str = "chopin_composition_scheduler.v";
const ROW: &str = "chopin_composition_row.v";

faults! {
    "chopin_composition_scheduler";
    the_farthest_source_first: ROW,
        "(|sources_below) ?" => "(~(|sources_above)) ?",
        PREFERENCE;
    receivers_that_take_no_turns: TOP,
        ".advance(offers_next)" => ".advance(1'b0)",
        PREFERENCE;
    a_start_between_two_groups: ROW,
        "cgid[0] ? sources_odd : sources_even" => "sources_odd | sources_even",
        TRANSFER;
    two_receivers_of_one_source: ROW,
        "assign is_free = ready & ~sending;" => "assign is_free = ready;",
        TRANSFER;
    two_sources_of_one_receiver: ROW,
        "ready & ~receiving & ~offered" => "ready & ~offered",
        TRANSFER;
    a_source_that_is_offered_twice_in_a_row: ROW,
        "(may_take & ~(offered_sources & ~own))" => "may_take",
        TRANSFER;
    a_receiver_that_is_offered_twice_in_a_row: ROW,
        "{3{~offered}} & (may_take" => "(may_take",
        TRANSFER;
    a_background_that_waits_for_its_gpu_to_send: ROW,
        "(offered_sources & ~own)" => "offered_sources",
        PREFERENCE;
    a_transparent_group_in_any_order: ROW,
        "transparent ? neighbours : 3'd7" => "3'd7",
        TRANSFER;
    an_opaque_group_in_the_order_of_a_transparent_one: ROW,
        "transparent ? neighbours : 3'd7" => "neighbours",
        WRONG_OR_STUCK;
    a_run_that_grows_at_one_end_only: ROW,
        "{run[1:0], 1'b0} | {1'b0, run[2:1]}" => "{1'b0, run[2:1]}",
        WRONG_OR_STUCK;
    a_background_before_the_last_sub_image: ROW,
        "transparent & (&run)" => "transparent",
        TRANSFER;
    a_background_in_an_opaque_group: ROW,
        "transparent & (&run)" => "(&run)",
        TRANSFER;
    an_entry_that_resets_before_its_background: ROW,
        "(own & {3{~transparent}})" => "own",
        WRONG_OR_STUCK;
    an_entry_that_resets_before_it_has_sent: ROW,
        "(&(sent_next | own)) & (&" => "(&",
        WRONG_OR_STUCK;
    an_entry_that_does_not_forget_whom_it_sent_to: ROW,
        "sent <= {3{~resets}} & sent_next" => "sent <= sent_next",
        WRONG_OR_STUCK;
    a_pair_that_composes_again: ROW,
        "received | ({3{receives_end}} & sender)" => "({3{receives_end}} & sender)",
        WRONG_OR_STUCK;
    a_finished_lost_as_the_entry_resets: ROW,
        "ready <= resets ? has_next :" => "ready <= resets ? waiting :",
        WRONG_OR_STUCK;
    a_waiting_finished_that_stays_after_its_group_has_begun: ROW,
        "waiting <= has_next & ~resets;" => "waiting <= has_next;",
        WRONG_OR_STUCK;
    a_waiting_finished_that_does_not_count_the_group: ROW,
        "(accepts_finished & ~ready) | (resets & has_next)" => "accepts_finished & ~ready",
        WRONG_OR_STUCK;
    a_third_finished_that_is_no_error: ROW,
        "finished & ~waiting & (is_first" => "finished & (is_first",
        TRANSFER;
    another_kind_that_is_no_error: ROW,
        "(is_first | same_kind)" => "1'b1",
        TRANSFER;
    kinds_of_two_groups_in_one_place: TOP,
        "wire [1:0] opened_group = newest + 2'd1;" => "wire [1:0] opened_group = {newest[1], ~newest[0]};",
        WRONG_OR_STUCK;
    a_done_from_another_source: ROW,
        "receiving & same_source & ~offered" => "receiving & ~offered",
        TRANSFER;
    a_done_of_a_gpu_that_receives_nothing: ROW,
        "done & receiving & same_source" => "done & same_source",
        TRANSFER;
    a_done_of_a_start_that_is_not_taken: ROW,
        "same_source & ~offered;" => "same_source;",
        UNSTABLE_OR_WRONG;
    a_source_that_stays_busy: ROW,
        "sends | (sending & ~(|sent_now))" => "sends | sending",
        WRONG_OR_STUCK;
    a_start_that_changes_while_it_is_stalled: TOP,
        "start_taken | ~offers" => "1'b1",
        UNSTABLE_OR_WRONG;
    an_error_with_the_code_of_another: TOP,
        "? 2'd0 : 2'd1" => "? 2'd1 : 2'd0",
        TRANSFER;
}
