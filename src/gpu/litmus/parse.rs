//! The text of a litmus test.

use super::excuse::is_excuse;
use super::place::ThreadPlace;
use super::{Condition, Instruction, REGISTERS, Term, Test};

/// Most threads of a test.
const THREADS: usize = 8;
/// Most locations.
const LOCATIONS: usize = 8;

/// What is wrong with the text of a test.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {what}")]
pub struct LitmusError {
    /// Where the text comes from.
    pub file: String,
    /// The line.
    pub line: usize,
    /// What is wrong, and what is accepted.
    pub what: String,
}

/// Reads a test.
///
/// # Errors
/// The first line that is wrong.
pub fn parse(file: &str, text: &str) -> Result<Test, LitmusError> {
    let mut test = Test {
        name: String::new(),
        threads: Vec::new(),
        locations: Vec::new(),
        places: Vec::new(),
        is_scoped: false,
        forbidden: Vec::new(),
        allowed: Vec::new(),
    };
    let mut last = 0;
    for (at, line) in text.lines().enumerate() {
        last = at + 1;
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let wrong = |what| LitmusError { file: file.to_string(), line: at + 1, what };
            test.line(line).map_err(wrong)?;
        }
    }
    test.is_scoped = test.threads.iter().flatten().any(|it| it.name.contains('$'));
    let missing = match () {
        () if test.name.is_empty() => "a line `litmus NAME`",
        () if test.threads.is_empty() => "a line `thread`",
        () if test.forbidden.is_empty() && test.allowed.is_empty() => {
            "a line `forbidden CONDITION` or `allowed CONDITION`"
        }
        () => return Ok(test),
    };
    Err(LitmusError { file: file.to_string(), line: last, what: format!("{missing} is missing") })
}

impl Test {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["litmus", name] => self.name = name.to_string(),
            ["thread", ref place @ ..] if self.threads.len() < THREADS && place.len() < 2 => {
                if place.is_empty() != self.places.is_empty() && !self.threads.is_empty() {
                    return Err("either all threads have a place, or none".into());
                }
                for place in place {
                    self.places.push(ThreadPlace::parse(place, THREADS as u32)?);
                }
                self.threads.push(Vec::new());
            }
            ["thread"] => return Err(format!("more than {THREADS} threads")),
            ["forbidden", ref terms @ ..] => {
                let condition = self.condition(terms)?;
                self.forbidden.push(condition);
            }
            ["allowed", ref terms @ ..] => {
                let condition = self.condition(terms)?;
                self.allowed.push(condition);
            }
            _ => {
                let instruction = self.instruction(&words)?;
                let thread = self.threads.last_mut();
                thread.ok_or("an instruction before the first `thread`")?.push(instruction);
            }
        }
        Ok(())
    }

    fn instruction(&mut self, words: &[&str]) -> Result<Instruction, String> {
        let name = words[0].to_string();
        let kind = name.split('.').next().unwrap_or_default();
        let modifiers: Vec<_> = name.split('.').skip(1).collect();
        let known = ["weak", "relaxed", "acquire", "release", "acq_rel", "sc", "volatile", "cta"];
        let more = ["gpu", "sys", "$", "add", "exch", "cas", "min", "max", "and", "or", "xor"];
        if let Some(other) = modifiers.iter().find(|it| !known.contains(it) && !more.contains(it)) {
            let known = [&known[..], &more[..]].concat().join(", ");
            return Err(format!("{name}: `{other}` is not one of {known}"));
        }
        let number = |word: &str| {
            word.parse::<u32>().map_err(|_| format!("{word} is no number up to 4294967295"))
        };
        let register = |word: &str| {
            let number = word.strip_prefix('r').and_then(|number| number.parse::<usize>().ok());
            let number = number.filter(|number| *number < REGISTERS);
            number.ok_or(format!("{word} is no register: r0 to r{} are", REGISTERS - 1))
        };
        let (register, location, values) = match (kind, &words[1..]) {
            ("ld", [to, from]) => (Some(register(to)?), Some(self.location(from)?), vec![]),
            ("st", [to, value]) => (None, Some(self.location(to)?), vec![number(value)?]),
            ("atom", [to, at, values @ ..]) if (1..=2).contains(&values.len()) => {
                let values = values.iter().map(|value| number(value)).collect::<Result<_, _>>()?;
                (Some(register(to)?), Some(self.location(at)?), values)
            }
            ("fence", []) => (None, None, vec![]),
            _ => {
                return Err(format!(
                    "`{}`: accepted are `ld REGISTER LOCATION`, `st LOCATION VALUE`, `atom.OP \
                     REGISTER LOCATION VALUE...`, `fence`, `litmus NAME`, `thread`, `forbidden \
                     CONDITION`, `allowed CONDITION`",
                    words.join(" ")
                ));
            }
        };
        Ok(Instruction { name, register, location, values })
    }

    fn location(&mut self, name: &str) -> Result<usize, String> {
        if let Some(at) = self.locations.iter().position(|known| known == name) {
            return Ok(at);
        }
        let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric());
        if !is_name || self.locations.len() == LOCATIONS {
            return Err(format!(
                "{name} is no location: up to {LOCATIONS} names like x are accepted"
            ));
        }
        self.locations.push(name.to_string());
        Ok(self.locations.len() - 1)
    }

    /// `1:r0=1 x=2 except ideal,hmg`
    fn condition(&self, words: &[&str]) -> Result<Condition, String> {
        let (terms, except) = match words.iter().position(|word| *word == "except") {
            Some(at) => (&words[..at], words[at + 1..].join(",")),
            None => (words, String::new()),
        };
        let except: Vec<_> =
            except.split(',').filter(|name| !name.is_empty()).map(String::from).collect();
        except.iter().try_for_each(|name| is_excuse(name))?;
        let text = terms.join(" ");
        let terms: Vec<_> = terms.iter().map(|term| self.term(term)).collect::<Result<_, _>>()?;
        match terms.is_empty() {
            true => Err("a condition without a term: `1:r0=1` and `x=1` are".to_string()),
            false => Ok(Condition { text, terms, except }),
        }
    }

    fn term(&self, text: &str) -> Result<(Term, u32), String> {
        let wrong = || {
            format!(
                "{text}: accepted are THREAD:REGISTER=VALUE and LOCATION=VALUE, of threads 0 to {} \
                 and locations {}",
                self.threads.len().saturating_sub(1),
                self.locations.join(", ")
            )
        };
        let (what, value) = text.split_once('=').ok_or_else(wrong)?;
        let value = value.parse().map_err(|_| wrong())?;
        if let Some((thread, register)) = what.split_once(':') {
            let thread: usize = thread.parse().map_err(|_| wrong())?;
            let register = register.strip_prefix('r').and_then(|number| number.parse().ok());
            let register = register.ok_or_else(wrong)?;
            let loads = self.threads.get(thread).ok_or_else(wrong)?;
            return match loads.iter().any(|it| it.register == Some(register)) {
                true => Ok((Term::Register(thread, register), value)),
                false => Err(format!("thread {thread} does not load r{register}")),
            };
        }
        let location = self.locations.iter().position(|name| name == what).ok_or_else(wrong)?;
        Ok((Term::Location(location), value))
    }
}
