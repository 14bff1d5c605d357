//! `printf` of a kernel.

use std::collections::BTreeMap;

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
/// argument is not in memory.
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
    let mut text = String::new();
    let mut count = 0;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        let end = after.find(|c: char| c.is_ascii_alphabetic() && !"hlLqjzt".contains(c));
        let Some(end) = end.filter(|_| !after.starts_with('%')) else {
            text.push('%');
            rest = after.strip_prefix('%').unwrap_or(after);
            continue;
        };
        let (specification, conversion) = (&after[..end], after[end..].chars().next()?);
        rest = &after[end + 1..];
        // Integers are passed as 4 bytes unless they are long; all else as 8.
        let is_integer = "diouxXc".contains(conversion);
        let is_long = specification.contains(['l', 'L', 'q', 'j', 'z', 't']);
        let bytes = if is_integer && !is_long { 4 } else { 8 };
        offset = offset.next_multiple_of(bytes);
        if !is_local {
            return None;
        }
        let mut word = [0; 8];
        let place = warp.local_bytes(lane, offset, bytes as usize)?;
        word[..bytes as usize].copy_from_slice(place);
        offset += bytes;
        count += 1;
        let argument = u64::from_le_bytes(word);
        let shown = shown(conversion, bytes == 8, argument, specification, memory)?;
        text.push_str(&padded(specification, &shown));
        if text.len() > MOST_TEXT {
            return None;
        }
    }
    text.push_str(rest);
    Some((text, count))
}

fn shown(
    conversion: char,
    wide: bool,
    argument: u64,
    specification: &str,
    memory: &Flat,
) -> Option<String> {
    let precision = specification.split_once('.').map(|(_, after)| {
        let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<usize>().unwrap_or(0).min(100)
    });
    let float = f64::from_bits(argument);
    Some(match conversion {
        'd' | 'i' if wide => (argument as i64).to_string(),
        'd' | 'i' => (argument as i32).to_string(),
        'u' => argument.to_string(),
        'o' => format!("{argument:o}"),
        'x' => format!("{argument:x}"),
        'X' => format!("{argument:X}"),
        'p' => format!("{argument:#x}"),
        'c' => char::from(argument as u8).to_string(),
        's' => String::from_utf8_lossy(memory.text(argument)?).into_owned(),
        'e' | 'E' => exponential(float, precision.unwrap_or(6), conversion == 'E'),
        'f' | 'F' => format!("{float:.*}", precision.unwrap_or(6)),
        'g' | 'G' => general(float, precision.unwrap_or(6).max(1)),
        _ => return None,
    })
}

/// As C writes it: at least two digits of exponent, with sign.
fn exponential(value: f64, precision: usize, upper: bool) -> String {
    let text = format!("{value:.precision$e}");
    let text = match text.split_once('e') {
        Some((digits, exponent)) => format!("{digits}e{:+03}", exponent.parse().unwrap_or(0_i32)),
        None => text,
    };
    if upper { text.to_uppercase() } else { text }
}

/// `%g`: the shorter of the two, without zeros at the end.
fn general(value: f64, precision: usize) -> String {
    let exponent = if value == 0.0 { 0 } else { value.abs().log10().floor() as i64 };
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if exponent < -4 || exponent >= precision as i64 {
        let text = exponential(value, precision - 1, false);
        return match text.split_once('e') {
            Some((digits, exponent)) => format!("{}e{exponent}", trimmed(digits)),
            None => text,
        };
    }
    let decimals = (precision as i64 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{value:.decimals$}"))
}

/// Fills up to the width.
fn padded(specification: &str, text: &str) -> String {
    let flags: String = specification.chars().take_while(|c| "-+ #0".contains(*c)).collect();
    let width = specification[flags.len()..].chars().take_while(char::is_ascii_digit);
    let width: usize = width.collect::<String>().parse().unwrap_or(0).min(MOST_TEXT);
    let plus = if flags.contains('+') && !text.starts_with('-') { "+" } else { "" };
    let text = format!("{plus}{text}");
    match () {
        _ if flags.contains('-') => format!("{text:<width$}"),
        _ if flags.contains('0') => match text.strip_prefix('-') {
            Some(digits) => format!("-{digits:0>0$}", width.saturating_sub(1)),
            None => format!("{text:0>width$}"),
        },
        () => format!("{text:>width$}"),
    }
}
