//! Boolean functions of Liberty, as far as flows need to recognise cells by function.

use std::collections::BTreeSet;

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
        if text.len() > LONGEST {
            return None;
        }
        let mut parser = Parser { text: text.trim(), depth: 0 };
        let expression = parser.or()?;
        if !parser.text.is_empty() {
            return None;
        }
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

impl Expression {
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
    fn what_is_no_function_is_none() {
        for text in ["", "(A", "A)", "A &", "!", "A @ B", &"(".repeat(10_000)] {
            assert_eq!(Function::parse(text), None, "{text}");
        }
    }
}
