//! Faults planted in the emitted Verilog of GETM's metadata table and validation unit: comparators that
//! ignore a bit or never match a key, and stuck memory bits. The default stream finds each.

mod support {
    pub mod equal;
    pub mod planted;
    pub mod tools;
}

use support::planted::Planted;

const TABLE: &str = "getm_metadata.v";

/// The table's parameters.
struct Widths {
    granules: u32,
    times: u32,
    owners: u32,
    stash: u32,
    banks: u32,
    bloom_ways: u32,
}

impl Widths {
    fn of(planted: &Planted) -> Self {
        let params = planted.design.params();
        let number = |name: &str| params[name].as_integer().expect("a number") as u32;
        Self {
            granules: number("address_bits") - number("granule_bytes").ilog2(),
            times: number("timestamp_bits"),
            owners: number("owner_bits"),
            stash: number("stash"),
            banks: number("ways"),
            bloom_ways: number("bloom_ways"),
        }
    }

    /// The granule of the request in that stage.
    fn granule(&self, stage: u32) -> String {
        format!("stage{stage}_address[{}:5]", self.granules + 4)
    }
}

/// Comparators of the table that the unit's accesses reach too.
fn in_comparators(planted: &mut Planted, widths: &Widths) {
    let Widths { granules, times, owners, .. } = *widths;
    let next = widths.granule(3);
    for slot in 0..widths.stash {
        let own = format!("stash{slot}_granule");
        planted.mask_bits(TABLE, &own, "==", &next, granules);
        let none = planted.plant(format!("slot {slot} takes granule 0 for none"));
        let all = planted.plant(format!("slot {slot} takes the last granule for none"));
        let taken = format!("!({none} & {own} == 0) & !({all} & (&{own}))");
        planted.replace(TABLE, &format!("(({own} & "), &format!("({taken} & ({own} & "));
    }
    planted.mask_bits(TABLE, &next, "==", &widths.granule(4), granules);
    planted.mask_bits(TABLE, "selected_wts", "==", "stage4_successor", times);
    planted.mask_bits(TABLE, "selected_owner", "==", "stage4_warp", owners);
    planted.mask_bits(TABLE, "stage4_warpts", "<", "selected_wts", times);
    planted.mask_bits(TABLE, "stage4_warpts", "==", "stage5_warpts", times);
    planted.mask_bits(TABLE, "stage4_warp", "==", "stage5_warp", owners);
}

fn in_the_table(preset: &str) -> Planted {
    let mut planted = Planted::new("getm_metadata", preset);
    let widths = Widths::of(&planted);
    in_comparators(&mut planted, &widths);
    let times = widths.times;
    planted.mask_bits(TABLE, "before_wts", "==", "stage4_successor", times);
    planted.mask_bits(TABLE, "before_owner", "==", "stage4_warp", widths.owners);
    planted.mask_bits(TABLE, "overflow_resp_wts", "==", "stage5_successor", times);
    planted.mask_bits(TABLE, "stage4_warpts", "<", "selected_rts", times);
    planted.mask_bits(TABLE, "stage4_warpts", "<", "before_wts", times);
    planted.mask_bits(TABLE, "stage4_warpts", "<", "before_rts", times);
    planted.mask_bits(TABLE, "stage4_warpts", "<=", "stage5_warpts", times);
    planted.mask_bits(TABLE, "stage4_warpts", "<", "stage5_warpts", times);
    planted
}

/// Stuck bits of the table's RAMs, in rows spread over each; without those of `writes`, since few rows count
/// that far.
fn stuck_in_the_table(preset: &str, places: u64) -> Planted {
    let mut planted = Planted::new("getm_metadata", preset);
    let widths = Widths::of(&planted);
    let banks = (0..widths.banks).map(|bank| format!("bank{bank}"));
    let bloom = (0..widths.bloom_ways)
        .flat_map(|way| ["insertion", "lookup"].map(|copy| format!("bloom{way}_{copy}")));
    for (ram, name) in banks.chain(bloom).enumerate() {
        let file = format!("getm_metadata_{name}.v");
        planted.give_chooser(&file);
        planted.connect_chooser(&name);
        let (before, after) = planted.text(&file).split_once(" rows of ").expect("its size");
        let rows: u64 = before.rsplit(' ').next().and_then(|n| n.parse().ok()).expect("rows");
        let (width, _) = after.split_once(" bits").expect("its width");
        let width: u64 = width.parse().expect("a number");
        let owners = u64::from(widths.owners);
        let others = u64::from(1 + widths.granules + 2 * widths.times) + owners;
        let writes = if name.starts_with("bank") { width - others } else { 0 };
        let mut stuck = String::new();
        for place in 0..places {
            let mixed = (place * 131 + ram as u64 * 17 + 5) * 2_654_435_761;
            let (row, value) = (mixed % rows, place % 2);
            let bit = (mixed >> 12) % (width - writes);
            // An entry is valid, granule, wts, rts, writes, owner, from the highest bit to the lowest.
            let bit = if bit >= owners { bit + writes } else { bit };
            let what = format!("bit {bit} of row {row} of {name} is stuck at {value}");
            let fault = planted.plant(what);
            stuck += &format!(
                "\n            if ({fault} && r0_address == {row}) r0_data[{bit}] <= 1'b{value};"
            );
        }
        let read = "r0_data <= _rows[r0_address];";
        planted.replace(&file, read, &format!("{read}{stuck}"));
    }
    planted
}

fn in_the_unit(preset: &str) -> Planted {
    let mut planted = Planted::new("getm_validation", preset);
    let widths = Widths::of(&planted);
    planted.give_chooser(TABLE);
    planted.connect_chooser("metadata");
    in_comparators(&mut planted, &widths);
    planted
}

#[test]
fn each_bit_that_the_metadata_table_compares_matters() {
    in_the_table("fpga").are_found_within(1_000_000);
}

#[test]
fn each_bit_that_the_validation_unit_compares_in_its_table_matters() {
    in_the_unit("fpga").are_found_within(1_000_000);
}

#[test]
#[ignore = "nightly: minutes"]
fn each_bit_that_is_compared_matters_at_the_size_of_the_papers() {
    in_the_table("paper").are_found_within(1_000_000);
    in_the_unit("paper").are_found_within(1_000_000);
}

#[test]
#[ignore = "nightly: minutes"]
fn a_stuck_bit_in_any_row_is_found() {
    stuck_in_the_table("fpga", 16).are_found_within(1_000_000);
    stuck_in_the_table("paper", 8).are_found_within(1_000_000);
}
