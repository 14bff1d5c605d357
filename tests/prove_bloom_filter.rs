//! The contract of `bloom_filter`, proven for all time on `tiny`; faults break its rules.

mod support;

use support::prove::{assert_fails, is_proven, provers};

#[test]
fn the_contract_of_the_bloom_filters_is_proven_for_all_time_and_its_corners_can_be_met() {
    if provers("the Bloom filters are proven") {
        let names = [
            "properties.inserted_hits",
            "properties.empty_misses",
            "properties.as_the_bits",
            "properties.answered_in_time",
            "resp_channel.payload_stays",
        ];
        is_proven("bloom_filter", &names, 17);
    }
}

#[test]
fn faults_of_the_bloom_filters_break_their_rules() {
    if !provers("faults of the Bloom filters") {
        return;
    }
    let faults = [
        ("(_stage2_row_if_live[3:0] | bit0)", "bit0", "inserted_hits"),
        ("{8{stage2_live}} & stage2_row", "stage2_row", "empty_misses"),
        ("wire is_written = inserts & (", "wire is_written = stage2_valid & (", "as_the_bits"),
        ("wire answers = stage2_valid & (", "wire answers = (", "answered_in_time"),
        ("assign moves = out_in_ready;", "assign moves = 1'b1;", "takes_unless_two_wait"),
        ("assign error_valid = malformed_came;", "assign error_valid = 1'b0;", "error_as_due"),
    ];
    for (from, to, rule) in faults {
        assert_fails("bloom_filter", 10, &[(from, to)], &format!("properties.{rule}"));
    }
}
