//! The contract of `relativistic_l2`, proven for all time on `tiny`; faults break its rules.

mod support;

use support::prove::{assert_fails, is_proven, provers};

#[test]
fn the_contract_of_the_relativistic_l2_is_proven_for_all_time_and_its_corners_can_be_met() {
    if provers("the relativistic L2 is proven") {
        let names = [
            "properties.stores_rise",
            "properties.stores_after_leases",
            "properties.lease_covers",
            "properties.issued_in_order",
            "properties.error_as_due",
            "properties.rolled_at_rest",
            "properties.wanted_once",
            "resp_channel.payload_stays",
        ];
        is_proven("relativistic_l2", &names, 19);
    }
}

#[test]
fn faults_of_the_relativistic_l2_break_their_rules() {
    if !provers("faults of the relativistic L2") {
        return;
    }
    let faults = [
        (
            11,
            "error_raised <= acts & (stage5_bad | second_gets);",
            "error_raised <= acts & second_gets;",
            "error_as_due",
        ),
        (
            15,
            "wire _time_ended_and_not_roll_wanted = time_ended & ~roll_wanted;",
            "wire _time_ended_and_not_roll_wanted = time_ended;",
            "wanted_once",
        ),
    ];
    for (depth, from, to, rule) in faults {
        assert_fails("relativistic_l2", depth, &[(from, to)], &format!("properties.{rule}"));
    }
}
