//! `printf` of a kernel.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};

use crate::isa::Space;
use crate::memory::Flat;
use crate::simt::{Print, Problem, Warp, lanes_of};

/// Longest text that one call prints.
const MOST_TEXT: usize = 64 << 10;

/// Output of `printf`, by launch, CTA and thread.
#[derive(Debug, Default)]
pub(super) struct Printed {
    texts: BTreeMap<(u32, u64, u32), String>,
}

impl Printed {
    /// The lanes of a warp print. On a problem, the lane it is in.
    pub(super) fn print(
        &mut self,
        warp: &mut Warp,
        print: &Print,
        memory: &Flat,
    ) -> Result<(), (usize, Problem)> {
        let identity = warp.identity;
        for lane in lanes_of(print.mask) {
            let from = [print.format[lane], print.arguments[lane]];
            let Some((text, count)) = text(warp, lane, memory, from) else {
                return Err((lane, Problem::Print { format: from[0], arguments: from[1] }));
            };
            self.texts
                .entry((identity.launch, identity.cta_number(), identity.thread(lane)))
                .or_default()
                .push_str(&text);
            warp.printed(print, lane, count);
        }
        Ok(())
    }

    /// All texts.
    pub(super) fn in_thread_order(&mut self) -> String {
        std::mem::take(&mut self.texts).into_values().collect()
    }
}

/// A failed assertion whose message is at an address.
pub(super) fn assertion(message: u64, memory: &Flat) -> Problem {
    let text = memory.text(message).map(String::from_utf8_lossy);
    Problem::Assertion(text.unwrap_or("no message".into()).into_owned())
}

/// The text that a lane prints and the number of its arguments; none when the format or an
/// argument is not in memory, or a conversion is none of C's.
fn text(
    warp: &Warp,
    lane: usize,
    memory: &Flat,
    [format, arguments]: [u64; 2],
) -> Option<(String, i32)> {
    let mut rest = std::str::from_utf8(memory.text(format)?).ok()?;
    // Where clang puts them; without any, the address is 0.
    let is_local = Space::of(arguments) == Space::Local;
    let mut offset = if is_local { arguments - Space::Local.window() } else { 0 };
    let (mut text, mut count) = (String::new(), 0);
    // The next argument, of 4 or 8 bytes.
    let mut next = |bytes: u64| {
        offset = offset.next_multiple_of(bytes);
        let mut word = [0; 8];
        let place = warp.local_bytes(lane, offset, bytes as usize).filter(|_| is_local)?;
        word[..bytes as usize].copy_from_slice(place);
        offset += bytes;
        count += 1;
        Some(u64::from_le_bytes(word))
    };
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        if let Some(after) = after.strip_prefix('%') {
            text.push('%');
            rest = after;
            continue;
        }
        let (conversion, after) = Conversion::read(after, || next(4).map(|word| word as i32))?;
        text.push_str(&conversion.show(next(conversion.bytes())?, memory)?);
        rest = after;
        if text.len() > MOST_TEXT {
            return None;
        }
    }
    text.push_str(rest);
    Some((text, count))
}

/// A conversion: `%[FLAGS][WIDTH][.PRECISION][LENGTH]TYPE` (CUDA C++ Programming Guide, Formatted Output).
struct Conversion {
    /// Flags, width and precision, as C reads them.
    specification: String,
    is_long: bool,
    /// Bytes of an integer that are shown.
    shown: u64,
    kind: char,
}

impl Conversion {
    /// Reads a conversion behind its `%`; `next` gives the argument of a `*`.
    fn read(text: &str, mut next: impl FnMut() -> Option<i32>) -> Option<(Self, &str)> {
        let flags = text.find(|c| !"-+ #0".contains(c))?;
        let mut specification = format!("%{}", &text[..flags]);
        let mut rest = &text[flags..];
        // Width, then precision.
        for part in 0..2 {
            if part == 1 {
                let Some(after) = rest.strip_prefix('.') else { break };
                specification.push('.');
                rest = after;
            }
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            let number = match rest.strip_prefix('*') {
                Some(after) => {
                    rest = after;
                    Some(next()?)
                }
                None if digits == 0 => None,
                None => Some(rest[..digits].parse().ok()?),
            };
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            // A negative precision counts as none.
            match number {
                Some(number) if number.unsigned_abs() as usize > MOST_TEXT => return None,
                Some(number) if part == 1 && number < 0 => _ = specification.pop(),
                Some(number) => specification += &number.to_string(),
                None => {}
            }
        }
        let length = rest.find(|c| !"hlLqjzt".contains(c))?;
        let is_long = rest[..length].contains(['l', 'L', 'q', 'j', 'z', 't']);
        let shown = match &rest[..length] {
            "hh" => 1,
            "h" => 2,
            _ if is_long => 8,
            _ => 4,
        };
        let kind =
            rest[length..].chars().next().filter(|kind| "cdiouxXpeEfFgGaAs".contains(*kind))?;
        Some((Self { specification, is_long, shown, kind }, &rest[length + 1..]))
    }

    /// Integers are passed as 4 bytes unless they are long; all else as 8.
    fn bytes(&self) -> u64 {
        if "diouxXc".contains(self.kind) && !self.is_long { 4 } else { 8 }
    }

    fn show(&self, argument: u64, memory: &Flat) -> Option<String> {
        let Self { specification, kind, .. } = self;
        let value = match kind {
            'd' | 'i' => {
                let unused = 64 - 8 * self.shown;
                Value::Integer((argument as i64) << unused >> unused)
            }
            'o' | 'u' | 'x' | 'X' => {
                let unused = 64 - 8 * self.shown;
                Value::Integer((argument << unused >> unused) as i64)
            }
            'c' => Value::Character(argument as u8),
            'p' => Value::Pointer(argument as usize),
            's' => Value::Text(CString::new(memory.text(argument)?).ok()?),
            _ => Value::Float(f64::from_bits(argument)),
        };
        let length = if matches!(value, Value::Integer(_)) { "ll" } else { "" };
        let format = CString::new(format!("{specification}{length}{kind}")).ok()?;
        let needed = value.print(&format, &mut []);
        // C ends it with a zero.
        let mut text = vec![0; needed.filter(|bytes| *bytes <= MOST_TEXT)? + 1];
        value.print(&format, &mut text)?;
        text.pop();
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}

/// A value that C's `printf` shows.
enum Value {
    Integer(i64),
    Character(u8),
    Pointer(usize),
    Float(f64),
    Text(CString),
}

impl Value {
    /// Writes as much as fits; the number of bytes of the whole.
    fn print(&self, format: &CStr, into: &mut [u8]) -> Option<usize> {
        let (to, size, format) = (into.as_mut_ptr().cast(), into.len(), format.as_ptr());
        // SAFETY: the format has one conversion, and it is of the type that is passed; no more than `size` bytes are
        // written.
        let bytes = unsafe {
            match self {
                Self::Integer(value) => libc::snprintf(to, size, format, *value),
                Self::Character(value) => libc::snprintf(to, size, format, i32::from(*value)),
                Self::Pointer(value) => {
                    libc::snprintf(to, size, format, std::ptr::without_provenance::<u8>(*value))
                }
                Self::Float(value) => libc::snprintf(to, size, format, *value),
                Self::Text(value) => libc::snprintf(to, size, format, value.as_ptr()),
            }
        };
        usize::try_from(bytes).ok()
    }
}
