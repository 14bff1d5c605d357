//! The text of a litmus test.

use super::excuse::is_excuse;
use super::herd::{is_herd, translated};
use super::instruction::{flattened, instruction, number};
use super::place::ThreadPlace;
use super::{Barrier, Comparison, Condition, Instruction, Kind, REGISTERS, Side, Term, Test};

/// Most threads of a test.
const THREADS: usize = 8;
/// Most locations.
const LOCATIONS: usize = 8;
/// Most turns of a loop in loops.
const NESTED_TURNS: u32 = 4096;

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
    let lines: Vec<_> = match is_herd(text) {
        true => translated(text).map_err(|(line, what)| LitmusError {
            file: file.to_string(),
            line,
            what,
        })?,
        false => (1..).zip(text.lines().map(String::from)).collect(),
    };
    let test = Test {
        file: file.to_string(),
        name: String::new(),
        threads: Vec::new(),
        places: Vec::new(),
        locations: Vec::new(),
        aliases: Vec::new(),
        initial: Vec::new(),
        is_scoped: false,
        forbidden: Vec::new(),
        allowed: Vec::new(),
        asked: Vec::new(),
    };
    let mut reader = Reader { test, is_set: [false; REGISTERS], open: Vec::new() };
    let mut last = 0;
    for (at, line) in &lines {
        last = *at;
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let wrong = |what| LitmusError { file: file.to_string(), line: *at, what };
            reader.line(line, *at).map_err(wrong)?;
        }
    }
    let wrong = |what| LitmusError { file: file.to_string(), line: last, what };
    reader.all_closed().map_err(wrong)?;
    let mut test = reader.test;
    let all = test.threads.iter().flat_map(|thread| flattened(thread));
    test.is_scoped = all
        .filter_map(|instruction| instruction.kind.strength())
        .any(|strength| strength.scope.is_none());
    let missing = match () {
        () if test.name.is_empty() => "a line `litmus NAME`",
        () if test.threads.is_empty() => "a line `thread`",
        () => {
            test.same_barriers().map_err(wrong)?;
            test.barriers_on_gpu().map_err(wrong)?;
            test.labels().map_err(|(line, what)| LitmusError {
                file: file.to_string(),
                line,
                what,
            })?;
            return Ok(test);
        }
    };
    Err(wrong(format!("{missing} is missing")))
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric())
}

/// A test of which some lines have been read.
struct Reader {
    test: Test,
    /// Registers that the last thread has set.
    is_set: [bool; REGISTERS],
    /// Blocks of the last thread that have no `end` yet, with what stands in them.
    open: Vec<Instruction>,
}

impl Reader {
    fn line(&mut self, line: &str, at: usize) -> Result<(), String> {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["litmus", name] if self.test.name.is_empty() => self.test.name = name.to_string(),
            ["litmus", _] => return Err("a second line `litmus NAME`".into()),
            ["init", ref values @ ..] if !values.is_empty() => {
                values.iter().try_for_each(|value| self.initial(value))?;
            }
            ["alias", name, of] => self.alias(name, of)?,
            ["thread", ref place @ ..] if place.len() < 2 => {
                self.all_closed()?;
                if self.test.threads.len() == THREADS {
                    return Err(format!("more than {THREADS} threads"));
                }
                if place.is_empty() != self.test.places.is_empty() && !self.test.threads.is_empty()
                {
                    return Err("either all threads have a place, or none".into());
                }
                for place in place {
                    self.test.places.push(ThreadPlace::parse(place, THREADS as u32)?);
                }
                self.test.threads.push(Vec::new());
                self.is_set = [false; REGISTERS];
            }
            [claim @ ("forbidden" | "allowed" | "exists"), ref terms @ ..] => {
                self.all_closed()?;
                let condition = self.test.condition(at, terms)?;
                match claim {
                    "forbidden" => self.test.forbidden.push(condition),
                    "exists" => self.test.asked.push(condition),
                    _ => self.test.allowed.push(condition),
                }
            }
            ["end"] => {
                let block = self.open.pop().ok_or("an `end` without `if` or `loop`")?;
                if let Kind::Loop(_, Some(check), _) = block.kind {
                    self.must_be_set(check.register)?;
                }
                self.push(block)?;
            }
            _ => self.instruction(&words, at)?,
        }
        Ok(())
    }

    fn instruction(&mut self, words: &[&str], line: usize) -> Result<(), String> {
        let kind = instruction(words, |name| self.test.address(name))?;
        if self.test.threads.is_empty() {
            return Err("an instruction before the first `thread`".into());
        }
        let is_loop = matches!(kind, Kind::Loop(..));
        if !is_loop {
            kind.sources().into_iter().try_for_each(|register| self.must_be_set(register))?;
        }
        if let Some(register) = kind.target() {
            self.is_set[register] = true;
        }
        if kind == Kind::Barrier(Barrier::ALL) && !self.open.is_empty() {
            return Err("`bar` in a block: all threads must come to it; `bar.sync NUMBER THREADS` may stand there".into());
        }
        if matches!(kind, Kind::Label(_) | Kind::Branch(..)) && !self.open.is_empty() {
            return Err("labels and branches stand outside of blocks".into());
        }
        let turns = |instruction: &Instruction| match instruction.kind {
            Kind::Loop(turns, ..) => turns,
            _ => 1,
        };
        if let Kind::Loop(own, ..) = kind
            && self.open.iter().map(turns).fold(own, u32::saturating_mul) > NESTED_TURNS
        {
            return Err(format!("loops in loops of more than {NESTED_TURNS} turns in all"));
        }
        let is_block = is_loop || matches!(kind, Kind::If(..));
        let instruction = Instruction { line, text: words.join(" "), kind };
        if is_block {
            self.open.push(instruction);
            return Ok(());
        }
        self.push(instruction)
    }

    /// Appends to the innermost block, or to the thread.
    fn push(&mut self, instruction: Instruction) -> Result<(), String> {
        let list = match self.open.last_mut().map(|block| &mut block.kind) {
            Some(Kind::If(_, body) | Kind::Loop(_, _, body)) => body,
            _ => self.test.threads.last_mut().ok_or("an instruction before the first `thread`")?,
        };
        list.push(instruction);
        Ok(())
    }

    fn must_be_set(&self, register: usize) -> Result<(), String> {
        match self.is_set[register] {
            true => Ok(()),
            false => Err(format!("r{register} is used before the thread has set it")),
        }
    }

    fn all_closed(&self) -> Result<(), String> {
        match self.open.last() {
            Some(block) => Err(format!("`{}` of line {} has no `end`", block.text, block.line)),
            None => Ok(()),
        }
    }

    /// `s x`: another address of `x`
    fn alias(&mut self, name: &str, of: &str) -> Result<(), String> {
        if !self.test.threads.is_empty() {
            return Err("`alias` comes before the first `thread`".into());
        }
        let (location, _) = self.test.address(of)?;
        let is_known = self.test.locations.iter().any(|known| known == name)
            || self.test.aliases.iter().any(|(known, _)| known == name);
        if is_known || !is_name(name) || self.test.aliases.len() == LOCATIONS {
            return Err(format!(
                "{name}: accepted are up to {LOCATIONS} aliases, with names like s that are new"
            ));
        }
        self.test.aliases.push((name.to_string(), location));
        Ok(())
    }

    /// `x=1`
    fn initial(&mut self, text: &str) -> Result<(), String> {
        let wrong = || format!("{text}: accepted is LOCATION=VALUE");
        let (name, value) = text.split_once('=').ok_or_else(wrong)?;
        if self.test.locations.iter().any(|known| known == name) {
            return Err(format!("{name} has its initial value already: `init` comes once, first"));
        }
        let location = self.test.location(name)?;
        self.test.initial[location] = number(value)?;
        Ok(())
    }
}

impl Test {
    /// A barrier waits for all threads of the CTA, so all must come to it as often.
    fn same_barriers(&self) -> Result<(), String> {
        let barriers = |thread: &Vec<Instruction>| {
            thread.iter().filter(|it| it.kind == Kind::Barrier(Barrier::ALL)).count()
        };
        let counts: Vec<_> = self.threads.iter().map(barriers).collect();
        match counts.windows(2).position(|pair| pair[0] != pair[1]) {
            None => Ok(()),
            Some(at) => Err(format!(
                "`bar` waits for all threads of a CTA: thread {at} has {}, thread {} has {}",
                counts[at],
                at + 1,
                counts[at + 1]
            )),
        }
    }

    /// Each branch has one label in its thread.
    fn labels(&self) -> Result<(), (usize, String)> {
        for thread in &self.threads {
            let is_label =
                |of: &str, it: &&Instruction| matches!(&it.kind, Kind::Label(name) if name == of);
            for it in thread {
                let (Kind::Branch(_, name) | Kind::Label(name)) = &it.kind else { continue };
                match thread.iter().filter(|it| is_label(name, it)).count() {
                    1 => {}
                    0 => return Err((it.line, format!("the thread has no label `{name}:`"))),
                    _ => return Err((it.line, format!("the thread has several labels `{name}:`"))),
                }
            }
        }
        Ok(())
    }

    /// A thread on a CPU is in no CTA.
    fn barriers_on_gpu(&self) -> Result<(), String> {
        let has = |instruction: &&Instruction| matches!(instruction.kind, Kind::Barrier(_));
        let mut all = self.threads.iter().flat_map(|thread| flattened(thread));
        match self.cpus() > 0 && all.any(|it| has(&it)) {
            true => {
                Err("`bar` waits for all threads of a CTA, and a thread on a CPU is in none".into())
            }
            false => Ok(()),
        }
    }

    /// A location, and by which of its addresses: see [`super::Via`].
    fn address(&mut self, name: &str) -> Result<(usize, usize), String> {
        match self.aliases.iter().position(|(known, _)| known == name) {
            Some(at) => Ok((self.aliases[at].1, at + 1)),
            None => Ok((self.location(name)?, 0)),
        }
    }

    fn location(&mut self, name: &str) -> Result<usize, String> {
        if let Some(at) = self.locations.iter().position(|known| known == name) {
            return Ok(at);
        }
        if !is_name(name) || self.locations.len() == LOCATIONS {
            return Err(format!(
                "{name} is no location: up to {LOCATIONS} names like x are accepted"
            ));
        }
        self.locations.push(name.to_string());
        self.initial.push(0);
        Ok(self.locations.len() - 1)
    }

    /// `1:r0=1 x=2 except ideal,hmg`
    fn condition(&self, line: usize, words: &[&str]) -> Result<Condition, String> {
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
            false => Ok(Condition { line, text, terms, except }),
        }
    }

    fn term(&self, text: &str) -> Result<Comparison, String> {
        let wrong = || {
            format!(
                "{text}: accepted are THREAD:REGISTER=VALUE and LOCATION=VALUE, or != for =, of threads 0 to {} \
                 and locations {}; a value is a number or THREAD:REGISTER",
                self.threads.len().saturating_sub(1),
                self.locations.join(", ")
            )
        };
        let (what, value) = text.split_once('=').ok_or_else(wrong)?;
        let (what, is_equal) = match what.strip_suffix('!') {
            Some(what) => (what, false),
            None => (what, true),
        };
        let value = match (value.parse(), self.register(value)) {
            (Ok(value), _) => Side::Number(value),
            (_, Some(register)) => register.map(|(thread, it)| Side::Register(thread, it))?,
            _ => return Err(wrong()),
        };
        let term = match self.register(what) {
            Some(register) => register.map(|(thread, it)| Term::Register(thread, it))?,
            None => {
                let alias = self.aliases.iter().find(|(name, _)| name == what).map(|it| it.1);
                let at = self.locations.iter().position(|name| name == what).or(alias);
                Term::Location(at.ok_or_else(wrong)?)
            }
        };
        Ok(Comparison { term, value, is_equal })
    }

    /// `1:r0`, a register that its thread sets; none for anything else.
    fn register(&self, text: &str) -> Option<Result<(usize, usize), String>> {
        let (thread, register) = text.split_once(':')?;
        let thread: usize = thread.parse().ok()?;
        let register = register.strip_prefix('r')?.parse().ok()?;
        let instructions = flattened(self.threads.get(thread)?);
        let is_set = instructions.iter().any(|it| it.kind.target() == Some(register));
        let wrong = || format!("thread {thread} does not set r{register}");
        Some(is_set.then_some((thread, register)).ok_or_else(wrong))
    }
}
