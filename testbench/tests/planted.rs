//! Faults planted in the emitted Verilog of a block: comparators that ignore a bit, limits that are off by
//! one, stuck memory bits, and faults that appear only after many requests. The default stream finds each.

mod support {
    pub mod equal;
    pub mod planted;
    pub mod tools;
}

use support::planted::Planted;

fn in_the_commit_unit(preset: &str) -> Planted {
    let mut planted = Planted::new("getm_commit", preset);
    let (file, params) = ("getm_commit.v", planted.design.params());
    let number = |name: &str| params[name].as_integer().expect("a number") as u32;
    let (bits, offset) = (number("address_bits"), number("granule_bytes").ilog2());
    let item = format!("item_address[{}:{offset}]", bits - 1);
    for place in 0..number("window") {
        let granule = format!("place{place}_granule");
        planted.mask_bits(file, &granule, "==", &item, bits - offset);
    }
    let count_bits = number("write_count_bits");
    planted.mask_bits(file, "item_count", "==", &format!("{count_bits}'d0"), count_bits);
    let fault = planted.plant("a region that is split at the largest count".to_string());
    let carry = format!("(|matching) & sum[{count_bits}];");
    let early =
        format!("(|matching) & (sum[{count_bits}] | {fault} & (&sum[{}:0]));", count_bits - 1);
    planted.replace(file, &carry, &early);
    planted
}

fn in_the_stall_buffer(preset: &str) -> Planted {
    let mut planted = Planted::new("getm_stall_buffer", preset);
    let (file, params) = ("getm_stall_line.v", planted.design.params());
    let number = |name: &str| params[name].as_integer().expect("a number") as u32;
    planted.give_chooser(file);
    (0..number("lines")).for_each(|line| planted.connect_chooser(&format!("line{line}")));
    let granule_bits = number("address_bits") - number("granule_bytes").ilog2();
    let compared = [
        ("park_granule", "waited_for"),
        ("result_granule", "waited_for"),
        ("release_granule", "granule_now"),
    ];
    for (one, other) in compared {
        planted.mask_bits(file, one, "==", other, granule_bits);
    }
    // The last entry must stay free for newcomers.
    for entry in 0..number("entries") - 1 {
        let waiter = format!("entry{entry}_warpts");
        planted.mask_bits(file, &waiter, "<=", "park_warpts", number("timestamp_bits"));
    }
    planted
}

fn in_the_directory(preset: &str) -> Planted {
    let mut planted = Planted::new("hmg_directory", preset);
    let (file, params) = ("hmg_directory.v", planted.design.params());
    let number = |name: &str| params[name].as_integer().expect("a number") as u32;
    let block = number("address_bits") - (number("lines_per_entry") * number("line_bytes")).ilog2();
    let (ways, set_bits) = (number("ways"), number("sets").ilog2());
    let tag_bits = block - set_bits;
    let tag = |stage| format!("stage{stage}_block[{}:{set_bits}]", block - 1);
    let set = |stage| format!("stage{stage}_block[{}:0]", set_bits - 1);
    let (none, all) = (
        planted.plant("a tag of zero is no entry".to_string()),
        planted.plant("a tag of all ones is no entry".to_string()),
    );
    for way in 0..ways {
        let own = format!("stage3_way{way}_tag");
        planted.mask_bits(file, &own, "==", &tag(3), tag_bits);
        let taken = format!("!({none} & {own} == 0) & !({all} & (&{own}))");
        planted.replace(file, &format!("(({own} & "), &format!("({taken} & ({own} & "));
    }
    for (behind, ahead) in [(2, 3), (2, 4), (1, 4)] {
        planted.mask_bits(file, &tag(behind), "==", &tag(ahead), tag_bits);
        planted.mask_bits(file, &set(behind), "==", &set(ahead), set_bits);
    }
    for requests in [16, 17] {
        let fault = planted.plant(format!("an answer is wrong after 2^{requests} requests"));
        let counter = format!(
            "reg [17:0] taken{requests}; always @(posedge clk) \
             taken{requests} <= rst ? 18'd0 : taken{requests} + {{17'd0, req_valid & req_ready}};\n"
        );
        let answer = "assign resp_hit = ";
        let wrong = format!("{counter}{answer}({fault} & taken{requests}[{requests}]) ^ ");
        planted.replace(file, answer, &wrong);
    }
    planted
}

#[test]
fn each_bit_that_the_commit_unit_compares_matters() {
    in_the_commit_unit("fpga").are_found_within(1_000_000);
}

#[test]
fn each_bit_that_the_stall_buffer_compares_matters() {
    in_the_stall_buffer("fpga").are_found_within(1_000_000);
}

#[test]
fn each_bit_that_the_directory_compares_matters() {
    in_the_directory("fpga").are_found_within(1_000_000);
}

#[test]
#[ignore = "nightly: minutes"]
fn each_bit_that_is_compared_matters_at_the_size_of_the_papers() {
    in_the_commit_unit("paper").are_found_within(1_000_000);
    in_the_stall_buffer("paper").are_found_within(1_000_000);
    in_the_directory("paper").are_found_within(1_000_000);
}

/// Stuck bits of the directory's RAMs, in rows spread over each RAM.
fn stuck_in_the_directory(preset: &str, rows: u64) -> Planted {
    let mut planted = Planted::new("hmg_directory", preset);
    let params = planted.design.params();
    let number = |name: &str| params[name].as_integer().expect("a number") as u64;
    let (sets, ways) = (number("sets"), number("ways"));
    let rams = (0..ways).map(|way| format!("way{way}_tags")).chain(["rows".to_string()]);
    for (ram, name) in rams.enumerate() {
        let file = format!("hmg_directory_{name}.v");
        planted.give_chooser(&file);
        planted.connect_chooser(&name);
        let (_, width) = planted.text(&file).split_once(" rows of ").expect("its size");
        let (width, _) = width.split_once(" bits").expect("its width");
        let width: u64 = width.parse().expect("a number");
        let mut stuck = String::new();
        for place in 0..rows {
            let mixed = (place * 131 + ram as u64 * 17 + 5) * 2654435761;
            let (row, bit, value) = (mixed % sets, (mixed >> 12) % width, place % 2);
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

#[test]
#[ignore = "nightly: minutes"]
fn a_stuck_bit_in_any_row_is_found() {
    stuck_in_the_directory("fpga", 16).are_found_within(1_000_000);
    stuck_in_the_directory("paper", 8).are_found_within(1_000_000);
}
