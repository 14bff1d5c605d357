//! Faults in the emitted Verilog of the relativistic L2's bank.

use crate::{MISSING, TRANSFER, faults};

const TOP: &str = "relativistic_l2.v";

faults! {
    "relativistic_l2";
    a_store_within_a_lease: TOP,
        "(is_at_ver ? stage5_found_ver : (stage5_found_exp + 4'd1))" =>
            "(is_at_ver ? stage5_found_ver : stage5_found_exp)",
        TRANSFER;
    a_miss_at_mnow: TOP,
        "((&mnow) ? mnow : (mnow + 4'd1))" => "mnow",
        TRANSFER;
    a_merge_at_mnow: TOP,
        "((&stage5_found_ver) ? stage5_found_ver : (stage5_found_ver + 4'd1))" => "stage5_found_ver",
        TRANSFER;
    mnow_without_exp: TOP,
        "((mnow <= victim_exp) ? victim_exp : mnow)" => "mnow",
        TRANSFER;
    mnow_without_ver: TOP,
        "((mnow <= victim_ver) ? victim_ver : mnow)" => "mnow",
        TRANSFER;
    lastrd_that_is_not_kept: TOP,
        "(stage5_found_exp <= stage5_found_ver) ? stage5_found_ver : stage5_found_exp;" =>
            "stage5_found_ver;",
        TRANSFER;
    a_last_time_that_wraps: TOP,
        "((&mnow) ? mnow : (mnow + 4'd1))" => "(mnow + 4'd1)",
        TRANSFER;
    a_lease_beyond_the_limit: TOP,
        "wire [3:0] fill_end = fill_clipped ? 4'd14 :" =>
            "wire [3:0] fill_end = fill_clipped ? 4'd15 :",
        TRANSFER;
    a_refused_lease_that_is_given: TOP,
        "~(fills ? (&fill_time) : is_refused)" => "~(fills & (&fill_time))",
        TRANSFER;
    a_victim_that_waits_for_an_atomic: TOP,
        "{(stage5_way1_state == 2'd1), (stage5_way0_state == 2'd1)}" =>
            "{stage5_way1_state[0], stage5_way0_state[0]}",
        MISSING;
    a_victim_that_was_used_last: TOP,
        "wire recency_after = (stage5_recency | acted_way[1]) & ~acted_way[0];" =>
            "wire recency_after = acted_way[0];",
        TRANSFER;
    a_store_that_keeps_the_lease_long: TOP,
        "(~hit_store & (renews" => "(1'b1 & (renews",
        TRANSFER;
    a_fetched_block_with_the_smallest_lease: TOP,
        "fills ? (~stage5_found_dirty & ~" => "fills ? (1'b0 & ~",
        TRANSFER;
    a_renewal_whatever_was_stored: TOP,
        "~is_refused & (stage5_found_ver < stage5_exp)" => "~is_refused & (|stage5_exp)",
        TRANSFER;
    a_renewal_of_the_stores_own_time: TOP,
        "(stage5_found_ver < stage5_exp)" => "(stage5_found_ver <= stage5_exp)",
        TRANSFER;
    a_lease_that_is_not_forwarded: TOP,
        "(stage4_set_in_stage5 & (|(acted_hits & stage4_hits)))) & uses;" =>
            "(stage4_set_in_stage5 & (|(acted_hits & stage4_hits)))) & uses & ~hit_load;",
        TRANSFER;
    a_state_that_is_not_forwarded: TOP,
        "wire _stage4_set_in_stage5_and_uses = stage4_set_in_stage5 & uses;" =>
            "wire _stage4_set_in_stage5_and_uses = 1'b0;",
        MISSING;
    victims_with_the_times_before: TOP,
        "wire stage5_way0_written = stage5_set_in_stage6 & stage6_writes & stage6_way[0];" =>
            "wire stage5_way0_written = 1'b0;",
        TRANSFER;
    a_block_in_a_way_that_was_overwritten: TOP,
        "stage3_block_in_stage6 : stage3_hits[0])};" => "stage3_hits[0] : stage3_hits[0])};",
        MISSING;
    a_row_read_at_the_edge_of_a_fills_write: TOP,
        "before_writes <= stage6_writes;" => "before_writes <= stage6_uses;",
        MISSING;
    a_lease_behind_a_store_as_long_as_before: TOP,
        "stage4_follows_store ? now_smallest_end :" => "1'b0 ? now_smallest_end :",
        TRANSFER;
    a_lease_behind_a_store_from_the_ver_before: TOP,
        "(stores_at_now ? stage5_smallest_end :" => "(1'b0 ? stage5_smallest_end :",
        TRANSFER;
    a_request_behind_a_fill_that_does_not_see_it: TOP,
        "(waits | (fills & request_behind_in_set))" => "(waits)",
        MISSING;
    an_atomic_that_does_not_wait_for_its_block: TOP,
        "(stage5_atomic & _hit_and_stage5_found_state_is2) |" => "1'b0 |",
        MISSING;
    a_reader_that_is_forgotten: TOP,
        "({2{_not_misses_and_fills}} & stage5_found_readers) |" => "(2'd0 & stage5_found_readers) |",
        MISSING;
    a_merged_store_that_leaves_no_trace: TOP,
        "(_time_ends_part ? (~stage5_atomic | hit_store) :" => "(_time_ends_part ? hit_store :",
        TRANSFER;
    a_roll_over_that_waits_for_no_fetch: TOP,
        "leave_idle & ~(|mshrs_busy))" => "leave_idle)",
        TRANSFER;
    a_roll_over_that_is_wanted_again: TOP,
        "wire _time_ended_and_not_roll_wanted = time_ended & ~roll_wanted;" =>
            "wire _time_ended_and_not_roll_wanted = time_ended;",
        TRANSFER;
    a_second_gets_without_an_error: TOP,
        "error_raised <= acts & (stage5_bad | second_gets);" => "error_raised <= acts & stage5_bad;",
        MISSING;
    a_fill_that_nobody_asked: TOP,
        "fill_bad <= ~(|(_filled_mshr_with_not_filled_mshr & mshrs_asked));" => "fill_bad <= 1'b0;",
        TRANSFER;
}
