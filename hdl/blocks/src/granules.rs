//! Granules: bytes that are tracked together, numbered by the high bits of a byte address.

/// Gives a parameter set with `granule_bytes` and `address_bits` what follows from them.
#[macro_export]
macro_rules! granules {
    ($params:ty) => {
        #[allow(dead_code, reason = "each block uses some")]
        impl $params {
            /// Bits of an address below the granule.
            pub fn offset_bits(&self) -> u32 {
                self.granule_bytes.ilog2()
            }

            /// Bits of a granule's number: an address without the place in the granule.
            pub fn granule_bits(&self) -> u32 {
                self.address_bits - self.offset_bits()
            }

            /// The largest number of a granule.
            pub(crate) fn last_granule(&self) -> u64 {
                u64::MAX >> (64 - self.granule_bits())
            }

            /// The number of the granule of a byte address.
            pub(crate) fn granule_of(&self, address: u64) -> u64 {
                address >> self.offset_bits()
            }

            /// The byte address of a granule.
            pub(crate) fn address_of(&self, granule: u64) -> u64 {
                granule << self.offset_bits()
            }

            /// The number of the granule of a byte address, as a circuit.
            pub(crate) fn granule<'m>(&self, address: Signal<'m>) -> Signal<'m> {
                address.slice(self.offset_bits()..self.address_bits)
            }

            /// The byte address of a granule, as a circuit.
            pub(crate) fn address<'m>(&self, granule: Signal<'m>) -> Signal<'m> {
                match self.offset_bits() {
                    0 => granule,
                    bits => granule.concat(granule.module().lit(bits, 0)),
                }
            }

            /// Whether a byte address is that of a granule.
            pub(crate) fn is_aligned<'m>(&self, address: Signal<'m>) -> Signal<'m> {
                match self.offset_bits() {
                    0 => address.module().lit(1, 1),
                    bits => !address.truncate(bits).any(),
                }
            }
        }
    };
}
pub use granules;
