//! Payloads of channels as Rust values: fields, words and ports from one declaration.

/// A value that is one field of a payload, or several: as whole words.
pub trait Value: Copy {
    /// Number of words.
    const WORDS: usize = 1;

    /// Writes its words.
    fn write(self, words: &mut [u64]);

    /// Reads its words.
    fn read(words: &[u64]) -> Self;
}

impl Value for u64 {
    #[inline]
    fn write(self, words: &mut [u64]) {
        words[0] = self;
    }

    #[inline]
    fn read(words: &[u64]) -> Self {
        words[0]
    }
}

impl Value for bool {
    #[inline]
    fn write(self, words: &mut [u64]) {
        words[0] = u64::from(self);
    }

    #[inline]
    fn read(words: &[u64]) -> Self {
        words[0] != 0
    }
}

/// One of the codes that `codes!` declares.
pub trait Code: Copy {
    /// Number of codes.
    const COUNT: u64;

    /// Its code.
    fn code(self) -> u64;

    /// That of a code, if it is not reserved.
    fn of_code(code: u64) -> Option<Self>;
}

impl<C: Code> Value for Option<C> {
    #[inline]
    fn write(self, words: &mut [u64]) {
        words[0] = self.map_or(C::COUNT, C::code);
    }

    #[inline]
    fn read(words: &[u64]) -> Self {
        C::of_code(words[0])
    }
}

/// Declares what a field of a payload, or an error, can say: codes from 0 up, in order. A code beyond
/// them reads as the last; as an `Option` it reads as `None`.
#[macro_export]
macro_rules! codes {
    ($($(#[$doc:meta])* pub enum $name:ident { $($(#[$of:meta])* $code:ident,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$of])* $code,)*
        }

        #[allow(dead_code, reason = "not every set of codes is listed or read")]
        impl $name {
            /// All, in the order of their codes.
            pub const ALL: [Self; [$(stringify!($code)),*].len()] = [$(Self::$code),*];

            /// That of a code, if it is not reserved.
            pub fn of(code: u64) -> Option<Self> {
                Self::ALL.get(code as usize).copied()
            }
        }

        impl $crate::payload::Value for $name {
            #[inline]
            fn write(self, words: &mut [u64]) {
                words[0] = self as u64;
            }

            #[inline]
            fn read(words: &[u64]) -> Self {
                Self::of(words[0]).unwrap_or(Self::ALL[Self::ALL.len() - 1])
            }
        }

        impl $crate::payload::Code for $name {
            const COUNT: u64 = Self::ALL.len() as u64;

            #[inline]
            fn code(self) -> u64 {
                self as u64
            }

            #[inline]
            fn of_code(code: u64) -> Option<Self> {
                Self::of(code)
            }
        }
    )*};
}
pub use codes;

/// Declares payloads: of each field its name and type, its width, and what it says. Another payload
/// in the place of a field, with its fields in braces, brings all of them.
///
/// ```text
/// payload! {
///     /// What became of a retried access: a payload of `retry_result`.
///     pub struct RetryResult(p: &Params) {
///         address: u64 [p.address_bits] "byte address";
///         reserved: bool [1] "the retry reserved the address or parked again";
///     }
/// }
/// ```
#[macro_export]
macro_rules! payload {
    ($($(#[$doc:meta])* pub struct $name:ident($p:ident: &$params:ty) {
        $($(#[$of:meta])* $field:ident: $type:ty
            $([$width:expr] $port:literal)? $({$fields:expr})?;)*
    })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            $($(#[$of])* $(#[doc = $port])? pub $field: $type,)*
        }

        #[allow(dead_code, reason = "some payloads are only written, others only read")]
        impl $name {
            /// The fields.
            pub fn fields($p: &$params) -> $crate::kit::Fields {
                let _ = $p;
                let fields = $crate::kit::Fields::new();
                $(
                    $(let fields = fields.with(stringify!($field), $width, $port);)?
                    $(let fields = fields.and($fields);)?
                )*
                fields
            }

            /// The payload.
            #[inline]
            pub fn encode(&self) -> [u64; <Self as $crate::payload::Value>::WORDS] {
                let mut words = [0; <Self as $crate::payload::Value>::WORDS];
                $crate::payload::Value::write(*self, &mut words);
                words
            }

            /// Reads a payload.
            #[inline]
            pub fn decode(payload: &[u64]) -> Self {
                $crate::payload::Value::read(payload)
            }
        }

        impl $crate::payload::Value for $name {
            const WORDS: usize = 0 $(+ <$type as $crate::payload::Value>::WORDS)*;

            #[inline]
            fn write(self, words: &mut [u64]) {
                $(let (own, words) = words.split_at_mut(<$type as $crate::payload::Value>::WORDS);
                $crate::payload::Value::write(self.$field, own);)*
                let _ = words;
            }

            #[inline]
            fn read(words: &[u64]) -> Self {
                $(let ($field, words) = words.split_at(<$type as $crate::payload::Value>::WORDS);)*
                let _ = words;
                Self { $($field: $crate::payload::Value::read($field)),* }
            }
        }
    )*};
}
pub use payload;
