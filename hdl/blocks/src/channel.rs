//! Channels: how a block talks, defined once for the circuit, the testbench and the reader.

use warpsmith_rtl::library::record::Fields;
use warpsmith_rtl::words;

/// Who offers transfers on a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The environment offers, the block takes.
    Input,
    /// The block offers, the environment takes.
    Output,
}

/// When a transfer happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handshake {
    /// At a clock edge with `<channel>_valid` and `<channel>_ready` high; an offer stays as it is until
    /// it is taken.
    ReadyValid,
    /// The same, but an offer may change, or be withdrawn, until it is taken.
    Revocable,
    /// At a clock edge with `<channel>_valid` high; the taker cannot refuse.
    ValidOnly,
}

impl Handshake {
    /// Whether the channel has a `<channel>_ready`.
    pub fn has_ready(self) -> bool {
        self != Self::ValidOnly
    }
}

/// How the transfers of an output channel are compared with the reference's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// One by one, in the reference's order.
    InOrder,
    /// In the reference's order among those with the same value of the field of that index.
    InOrderPerKey(usize),
    /// Each once, in any order.
    AnyOrder,
}

impl Judgement {
    /// The judgement in words.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::InOrder => "in order",
            Judgement::InOrderPerKey(_) => "in order per key",
            Judgement::AnyOrder => "any order",
        }
    }
}

/// A channel. Its ports are `<name>_valid`, `<name>_ready` (unless valid-only) and
/// `<name>_<field>`.
///
/// In simulation a payload is a slice of words: field after field, each in as many whole words as
/// its width needs, least significant word first, unused bits zero.
#[derive(Clone, Debug)]
pub struct Channel {
    /// Name, in snake_case.
    pub name: &'static str,
    /// What travels on it.
    pub doc: &'static str,
    /// Who offers.
    pub direction: Direction,
    /// When a transfer happens.
    pub handshake: Handshake,
    /// How outputs are compared; says nothing for inputs.
    pub judgement: Judgement,
    /// The payload.
    pub fields: Fields,
}

impl Channel {
    fn new(name: &'static str, doc: &'static str, direction: Direction, fields: Fields) -> Self {
        let (handshake, judgement) = (Handshake::ReadyValid, Judgement::InOrder);
        Self { name, doc, direction, handshake, judgement, fields }
    }

    /// A ready/valid channel into the block.
    pub fn input(name: &'static str, fields: Fields, doc: &'static str) -> Self {
        Self::new(name, doc, Direction::Input, fields)
    }

    /// A ready/valid channel out of the block, judged in order.
    pub fn output(name: &'static str, fields: Fields, doc: &'static str) -> Self {
        Self::new(name, doc, Direction::Output, fields)
    }

    /// The codes of malformed requests, `bits` wide; `codes` says what each means.
    pub fn error(bits: u32, codes: &'static str, doc: &'static str) -> Self {
        Self::output("error", Fields::new().with("code", bits, codes), doc).valid_only()
    }

    /// The same, but the taker cannot refuse.
    #[must_use]
    pub fn valid_only(self) -> Self {
        Self { handshake: Handshake::ValidOnly, ..self }
    }

    /// The same, but an offer may change until it is taken.
    #[must_use]
    pub fn revocable(self) -> Self {
        Self { handshake: Handshake::Revocable, ..self }
    }

    /// The same, judged in any order.
    #[must_use]
    pub fn any_order(self) -> Self {
        Self { judgement: Judgement::AnyOrder, ..self }
    }

    /// The same, judged in order among transfers with the same value of that field.
    #[must_use]
    pub fn in_order_per(self, field: &str) -> Self {
        let key = self.fields.position(field).expect("a field of the channel");
        Self { judgement: Judgement::InOrderPerKey(key), ..self }
    }

    /// What is wrong with a request whose `error_code` is on the channel.
    pub fn codes(&self) -> &str {
        self.fields.iter().next().map_or("", |code| &code.doc)
    }

    /// Names of its ports.
    pub fn ports(&self) -> Vec<String> {
        let ready = self.handshake.has_ready().then_some("ready");
        let fields = self.fields.iter().map(|field| field.name.as_str());
        let roles = ["valid"].into_iter().chain(ready).chain(fields);
        roles.map(|role| format!("{}_{role}", self.name)).collect()
    }

    /// Number of words in a payload.
    pub fn payload_words(&self) -> usize {
        self.fields.iter().map(|field| words(field.width)).sum()
    }

    /// Whether the words are a payload: as many as the fields need, no bit beyond a field's width.
    pub fn accepts(&self, payload: &[u64]) -> bool {
        let mut rest = payload;
        self.fields.iter().all(|field| {
            let Some((field_words, after)) = rest.split_at_checked(words(field.width)) else {
                return false;
            };
            rest = after;
            warpsmith_rtl::Bits::from_words(field.width, field_words).words() == field_words
        }) && rest.is_empty()
    }

    /// The payload for a reader: `op=1 address=0x40`.
    pub fn show(&self, payload: &[u64]) -> String {
        let mut at = 0;
        let mut text = Vec::new();
        for field in self.fields.iter() {
            let end = at + words(field.width);
            let value = warpsmith_rtl::Bits::from_words(field.width, &payload[at..end]);
            text.push(match field.width {
                0..=3 => format!("{}={}", field.name, payload[at]),
                _ => format!("{}=0x{value:x}", field.name),
            });
            at = end;
        }
        text.join(" ")
    }
}

/// An input that keeps one value from reset on.
#[derive(Clone, Debug)]
pub struct Strap {
    /// Port name.
    pub name: &'static str,
    /// What it says.
    pub doc: &'static str,
    /// Width in bits.
    pub width: u32,
    /// Number of legal values, from 0 up.
    pub values: u64,
}

/// Declares channels: constants that are their indices, and the function `channels` of the
/// parameters: `CONSTANT = channel;`, of which the constant has the name.
#[macro_export]
macro_rules! channels {
    (|$p:ident| $($constant:ident = $channel:expr;)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum ChannelIndex { $($constant),* }
        $(
            /// Index of the channel of this name.
            pub const $constant: usize = ChannelIndex::$constant as usize;
        )*

        /// The channels, in the order of their indices.
        pub fn channels($p: &Params) -> Vec<$crate::channel::Channel> {
            vec![$($channel),*]
        }
    };
}
pub use channels;
