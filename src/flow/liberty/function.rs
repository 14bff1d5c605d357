//! Boolean functions of Liberty, as far as flows need to recognise cells by function.

use std::collections::BTreeSet;
use std::fmt;

/// A function of pins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    /// A constant.
    Constant(bool),
    /// The value of a pin.
    Buffer(String),
    /// Its complement.
    Inverter(String),
    /// The complement of the product of two pins.
    Nand2,
    /// Any other function of these pins.
    Other(BTreeSet<String>),
}

impl Function {
    /// Parses a function such as `!(A&B)` or `(A B)'`; none if it is malformed.
    pub fn parse(text: &str) -> Option<Self> {
        let expression = expression(text)?;
        let mut pins = BTreeSet::new();
        expression.pins(&mut pins);
        let names: Vec<&str> = pins.iter().map(String::as_str).collect();
        let table = |rows: u32| -> Vec<bool> {
            let value = |row: u32, pin: &str| {
                names.iter().position(|n| *n == pin).is_some_and(|i| row >> i & 1 == 1)
            };
            (0..rows).map(|row| expression.value(&|pin| value(row, pin))).collect()
        };
        Some(match names.len() {
            0 => Self::Constant(table(1)[0]),
            1 => match table(2)[..] {
                [false, true] => Self::Buffer(names[0].to_string()),
                [true, false] => Self::Inverter(names[0].to_string()),
                _ => Self::Constant(table(2)[0]),
            },
            2 if table(4) == [true, true, true, false] => Self::Nand2,
            _ => Self::Other(pins),
        })
    }
}

/// The function with every product and sum in parentheses, and without what readers of the format take
/// differently: a blank as an operator, the precedence of the exclusive or, constants. None if it is malformed.
pub fn canonical(text: &str) -> Option<String> {
    Some(match Function::parse(text)? {
        Function::Constant(value) => u8::from(value).to_string(),
        Function::Buffer(pin) => pin,
        Function::Inverter(pin) => format!("!{pin}"),
        Function::Nand2 | Function::Other(_) => expression(text)?.folded().to_string(),
    })
}

/// The pins of a function; none if it is malformed.
pub fn pins(text: &str) -> Option<BTreeSet<String>> {
    let mut pins = BTreeSet::new();
    expression(text)?.pins(&mut pins);
    Some(pins)
}

/// The share of all values of its pins for which the function is true; none if it is malformed or has more
/// than `MOST_PINS`.
pub fn share(text: &str) -> Option<f64> {
    let expression = expression(text)?;
    let names: Vec<String> = pins(text)?.into_iter().collect();
    if names.len() > MOST_PINS {
        return None;
    }
    let rows = 1_u32 << names.len();
    let is_true = |row: &u32| {
        expression
            .value(&|pin| names.iter().position(|n| n == pin).is_some_and(|i| row >> i & 1 == 1))
    };
    Some(f64::from((0..rows).filter(is_true).count() as u32) / f64::from(rows))
}

/// Most pins of a condition whose values are counted.
const MOST_PINS: usize = 12;

fn expression(text: &str) -> Option<Expression> {
    if text.len() > LONGEST {
        return None;
    }
    // A long function continues on the next line.
    let text = text.replace(['\\', '\n', '\r', '\t'], " ");
    let mut parser = Parser { text: text.trim(), depth: 0 };
    let expression = parser.or()?;
    parser.text.is_empty().then_some(expression)
}

/// Longest accepted text in bytes; real libraries have a few hundred.
const LONGEST: usize = 10_000;

enum Expression {
    Constant(bool),
    Pin(String),
    Not(Box<Expression>),
    Xor(Box<Expression>, Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => write!(f, "{}", u8::from(*value)),
            Self::Pin(name) => f.write_str(name),
            Self::Not(of) => write!(f, "!{of}"),
            Self::Xor(a, b) => write!(f, "({a}^{b})"),
            Self::And(a, b) => write!(f, "({a}&{b})"),
            Self::Or(a, b) => write!(f, "({a}|{b})"),
        }
    }
}

impl Expression {
    /// Without constants within an operator, on which abc fails.
    fn folded(self) -> Self {
        use Expression::{And, Constant, Not, Or, Xor};
        let both = |a: Box<Self>, b: Box<Self>| (a.folded(), b.folded());
        match self {
            Not(of) => match of.folded() {
                Constant(value) => Constant(!value),
                Not(inner) => *inner,
                of => Not(Box::new(of)),
            },
            Xor(a, b) => match both(a, b) {
                (Constant(false), of) | (of, Constant(false)) => of,
                (Constant(true), of) | (of, Constant(true)) => Not(Box::new(of)).folded(),
                (a, b) => Xor(Box::new(a), Box::new(b)),
            },
            And(a, b) => match both(a, b) {
                (Constant(true), of) | (of, Constant(true)) => of,
                (Constant(false), _) | (_, Constant(false)) => Constant(false),
                (a, b) => And(Box::new(a), Box::new(b)),
            },
            Or(a, b) => match both(a, b) {
                (Constant(false), of) | (of, Constant(false)) => of,
                (Constant(true), _) | (_, Constant(true)) => Constant(true),
                (a, b) => Or(Box::new(a), Box::new(b)),
            },
            of => of,
        }
    }

    fn value(&self, pin: &impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Constant(value) => *value,
            Self::Pin(name) => pin(name),
            Self::Not(a) => !a.value(pin),
            Self::Xor(a, b) => a.value(pin) ^ b.value(pin),
            Self::And(a, b) => a.value(pin) & b.value(pin),
            Self::Or(a, b) => a.value(pin) | b.value(pin),
        }
    }

    fn pins(&self, into: &mut BTreeSet<String>) {
        match self {
            Self::Constant(_) => {}
            Self::Pin(name) => drop(into.insert(name.clone())),
            Self::Not(a) => a.pins(into),
            Self::Xor(a, b) | Self::And(a, b) | Self::Or(a, b) => {
                a.pins(into);
                b.pins(into);
            }
        }
    }
}

/// Precedence: complement, exclusive or, and, or.
struct Parser<'a> {
    text: &'a str,
    depth: u32,
}

impl Parser<'_> {
    fn or(&mut self) -> Option<Expression> {
        let mut left = self.and()?;
        while self.take(&['+', '|']) {
            left = Expression::Or(Box::new(left), Box::new(self.and()?));
        }
        Some(left)
    }

    fn and(&mut self) -> Option<Expression> {
        let mut left = self.xor()?;
        // A blank means `and`, so anything that can begin a factor continues the product.
        while self.take(&['*', '&']) || self.at_factor() {
            left = Expression::And(Box::new(left), Box::new(self.xor()?));
        }
        Some(left)
    }

    fn xor(&mut self) -> Option<Expression> {
        let mut left = self.factor()?;
        while self.take(&['^']) {
            left = Expression::Xor(Box::new(left), Box::new(self.factor()?));
        }
        Some(left)
    }

    fn factor(&mut self) -> Option<Expression> {
        self.depth += 1;
        if self.depth > 100 {
            return None;
        }
        let mut factor = if self.take(&['!']) {
            Expression::Not(Box::new(self.factor()?))
        } else if self.take(&['(']) {
            let inner = self.or()?;
            self.take(&[')']).then_some(inner)?
        } else {
            self.pin()?
        };
        while self.take(&['\'']) {
            factor = Expression::Not(Box::new(factor));
        }
        self.depth -= 1;
        Some(factor)
    }

    fn pin(&mut self) -> Option<Expression> {
        let is_end = |c: char| !(c.is_alphanumeric() || "_[]:.$".contains(c));
        let length = self.text.find(is_end).unwrap_or(self.text.len());
        let (name, rest) = self.text.split_at(length);
        self.text = rest.trim_start();
        match name {
            "" => None,
            "0" => Some(Expression::Constant(false)),
            "1" => Some(Expression::Constant(true)),
            _ => Some(Expression::Pin(name.to_string())),
        }
    }

    fn at_factor(&self) -> bool {
        self.text.starts_with(|c: char| c.is_alphanumeric() || "_(![".contains(c))
    }

    fn take(&mut self, any: &[char]) -> bool {
        let Some(rest) = self.text.strip_prefix(any) else { return false };
        self.text = rest.trim_start();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_nand_is_one() {
        for text in ["!(A&B)", "(A B)'", "!A+!B", "A'|B'", "!(A * B)", "(!(A B))", "(A^1)|(B ^ 1)"]
        {
            assert_eq!(Function::parse(text), Some(Function::Nand2), "{text}");
        }
        for text in ["A&B", "!(A|B)", "A^B", "!(A&B&C)"] {
            assert!(matches!(Function::parse(text), Some(Function::Other(_))), "{text}");
        }
    }

    #[test]
    fn buffers_inverters_and_constants_are_told_apart() {
        assert_eq!(Function::parse("(A)"), Some(Function::Buffer("A".to_string())));
        assert_eq!(Function::parse("(!CLK)"), Some(Function::Inverter("CLK".to_string())));
        assert_eq!(Function::parse("1"), Some(Function::Constant(true)));
        assert_eq!(Function::parse("A & !A"), Some(Function::Constant(false)));
    }

    #[test]
    fn a_function_is_rewritten_so_that_no_reader_takes_it_otherwise() {
        for (text, same) in [
            ("A B' + C", "((A&!B)|C)"),
            ("A ^ B * C", "((A^B)&C)"),
            ("!(A \\\n & B)", "!(A&B)"),
            ("((A'))'", "A"),
            ("A + A'", "1"),
            ("A ^ B * 1", "(A^B)"),
            ("!(A ^ 1) & (B + 0) + 0 * C", "(A&B)"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(same), "{text}");
        }
        assert_eq!(canonical("A @ B"), None);
    }

    #[test]
    fn the_share_of_a_condition_is_counted() {
        assert_eq!(share("A & !B"), Some(0.25));
        assert_eq!(share("A | !A"), Some(1.0));
        assert_eq!(share("(A"), None);
    }

    #[test]
    fn what_is_no_function_is_none() {
        for text in ["", "(A", "A)", "A &", "!", "A @ B", &"(".repeat(10_000)] {
            assert_eq!(Function::parse(text), None, "{text}");
        }
    }
}
