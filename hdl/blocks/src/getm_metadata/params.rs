//! Parameters of the metadata table, and what follows from them.

use crate::kit::*;

granules!(Params);

/// Declares the parameters that the table shares with a unit that has it inside, and others beside them.
macro_rules! table_parameters {
    ($(#[$doc:meta])* $faithful:literal; $($others:tt)*) => {
        $crate::parameters::parameters! {
            $(#[$doc])*
            pub struct Params {
                rows_per_way: u32, "rows of a bank of the precise table", power(2, 1 << 16);
                ways: u32, "banks of the precise table, each with its own hash", range(1, 8);
                stash: u32, "entries of the fully associative stash", range(0, 16);
                bloom_rows: u32, "rows of a way of the recency Bloom filter", power(2, 1 << 16);
                bloom_ways: u32, "ways of the recency Bloom filter, each with its own hash", range(1, 8);
                max_kicks: u32, "entries that one insertion may displace", range(0, 255);
                hash_seed: u32, "seed of the H3 hashes", range(0, u32::MAX);
                $($others)*
                timestamp_bits: u32, "bits of a timestamp",
                    range(
                        of("owner_bits + 1", |p: &Self| if p.faithful { 2 } else { p.owner_bits + 1 }),
                        of("63, as its low bits hold the warp; 2 to 63 if faithful", |_| 63),
                    );
                write_count_bits: u32, "bits of the count of writes under way", range(1, 16);
                owner_bits: u32, "bits of a warp's number", range(1, 16);
                granule_bytes: u32, "bytes for which metadata is kept together", power(1, 4096);
                address_bits: u32, "bits of a byte address",
                    range(of("offset + 2", |p: &Self| p.offset_bits() + 2), 64);
                faithful: bool, $faithful, Words("true or false");
            }
        }
    };
}
pub(crate) use table_parameters;

table_parameters! {
    /// Parameters of the metadata table.
    "true: the paper's owner check; false: the timestamp must be the owner's too";
    tag_bits: u32, "bits of a request that come back with its answer", range(1, 64);
}

impl Params {
    /// Bits of a row's number in a bank.
    pub fn row_bits(&self) -> u32 {
        self.rows_per_way.ilog2()
    }

    /// Bits of a row's number in the Bloom filter.
    pub fn bloom_row_bits(&self) -> u32 {
        self.bloom_rows.ilog2()
    }

    /// The largest timestamp; it has no successor, so no access may be made at it.
    pub fn last_timestamp(&self) -> u64 {
        (1 << self.timestamp_bits) - 1
    }

    /// The largest number of writes that an entry can count.
    pub fn most_writes(&self) -> u64 {
        (1 << self.write_count_bits) - 1
    }
}

impl Parameters for Params {
    fn presets() -> Vec<(&'static str, Self)> {
        let paper = Params {
            // Table 4.2 gives 4K precise and 1K approximate entries in all; four units of this size
            // make that and the totals of table 4.5.
            rows_per_way: 256,
            ways: 4,
            stash: 4,
            bloom_rows: 64,
            bloom_ways: 4,
            timestamp_bits: 32,
            // Assumed: with 48 address bits an entry is then 128 bits, and 4K entries are the 64 KB
            // of table 4.5.
            write_count_bits: 10,
            // Table 4.2: 15 cores of 48 warps.
            owner_bits: 10,
            granule_bytes: 32,
            address_bits: 48,
            // Assumed: the paper says "too many swaps".
            max_kicks: 8,
            hash_seed: 1,
            tag_bits: 8,
            faithful: false,
        };
        let fpga = Params {
            rows_per_way: 64,
            bloom_rows: 16,
            timestamp_bits: 24,
            write_count_bits: 8,
            owner_bits: 8,
            address_bits: 32,
            ..paper.clone()
        };
        let tiny = Params {
            rows_per_way: 2,
            ways: 2,
            stash: 1,
            bloom_rows: 2,
            bloom_ways: 2,
            timestamp_bits: 4,
            write_count_bits: 2,
            owner_bits: 1,
            granule_bytes: 2,
            address_bits: 5,
            max_kicks: 2,
            tag_bits: 1,
            ..paper.clone()
        };
        vec![("tiny", tiny), ("fpga", fpga), ("paper", paper)]
    }
}
