//! Tests in the format of herd's family: threads in columns, and a question about the end.
//!
//! Such a test is written again in our own format, each line with the number of the line that it comes from.

mod condition;

use condition::cases;

/// A line, and its number in the file.
pub(super) type Line = (usize, String);

/// A register that the file does not have.
const NOWHERE: &str = "_";

/// True for a text in this format, which begins with the name of the instruction set.
pub(super) fn is_herd(text: &str) -> bool {
    text.split_whitespace().next() == Some("PTX")
}

/// Writes a test in our format.
///
/// # Errors
/// The first line that is not understood, with the reason.
pub(super) fn translated(text: &str) -> Result<Vec<Line>, Line> {
    let mut columns = Columns::default();
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line.trim()));
    let name = |line: &str| line.split_whitespace().nth(1).map(String::from);
    let head = lines.by_ref().find(|(_, line)| !line.is_empty()).unwrap_or((1, ""));
    let name = name(head.1).ok_or((head.0, "`PTX NAME` is expected".to_string()))?;
    let mut part = Part::Head;
    let mut question = String::new();
    let mut asked_at = head.0;
    for (at, line) in lines {
        let wrong = |what| (at, what);
        let line = line.split("//").next().unwrap_or_default().trim();
        match part {
            _ if line.is_empty() => {}
            Part::Head if line.starts_with('{') => {
                let ends = columns.initial(line.trim_start_matches('{')).map_err(wrong)?;
                part = if ends { Part::Rows } else { Part::Initial };
            }
            // A description.
            Part::Head => {}
            Part::Initial if columns.initial(line).map_err(wrong)? => part = Part::Rows,
            Part::Initial => {}
            Part::Rows if is_question(line) => {
                (part, asked_at, question) = (Part::Question, at, line.to_string());
            }
            Part::Rows => columns.row(at, line).map_err(wrong)?,
            Part::Question => question = format!("{question} {line}"),
        }
    }
    let claims = columns.claims(&question).map_err(|what| (asked_at, what))?;
    let mut all = vec![(head.0, format!("litmus {name}"))];
    all.extend(
        columns.locations.iter().map(|(name, value)| (head.0, format!("init {name}={value}"))),
    );
    all.extend(columns.aliases.iter().map(|(name, of)| (head.0, format!("alias {name} {of}"))));
    for thread in &columns.threads {
        all.push((head.0, format!("thread {}", thread.place)));
        let used = |register: &&(usize, String, u32)| {
            thread
                .lines
                .iter()
                .any(|(_, line)| line.split([' ', '[', ']']).any(|it| it == register.1))
        };
        let moves = thread.initial.iter().filter(used);
        all.extend(moves.map(|(at, register, value)| (*at, format!("mov {register} {value}"))));
        all.extend(thread.lines.iter().cloned());
    }
    all.extend(claims.into_iter().map(|claim| (asked_at, claim)));
    Ok(all)
}

/// Parts of a file, in order.
#[derive(Clone, Copy)]
enum Part {
    Head,
    Initial,
    Rows,
    Question,
}

fn is_question(line: &str) -> bool {
    ["exists", "~exists", "forall", "filter", "locations"].iter().any(|word| line.starts_with(word))
}

/// A thread.
#[derive(Default)]
struct Thread {
    name: String,
    place: String,
    /// Names of its registers, the first of which is our `r0`.
    registers: Vec<String>,
    /// Initial values of registers, with their lines.
    initial: Vec<(usize, String, u32)>,
    lines: Vec<Line>,
}

impl Thread {
    /// Our name of a register.
    fn register(&mut self, name: &str) -> String {
        let name = name.trim_start_matches('%');
        let known = self.registers.iter().position(|known| known == name);
        let at = known.unwrap_or_else(|| {
            self.registers.push(name.to_string());
            self.registers.len() - 1
        });
        format!("r{at}")
    }
}

#[derive(Default)]
struct Columns {
    locations: Vec<(String, u32)>,
    /// Names, and the locations that they are other addresses of.
    aliases: Vec<(String, String)>,
    /// Names of addresses by other proxies, and the generic address of each.
    by_proxy: Vec<(String, String)>,
    /// Initial values of registers before threads are known: thread, register, value.
    registers: Vec<(String, String, u32)>,
    threads: Vec<Thread>,
}

impl Columns {
    /// `x=0; P0:r0=0;`, up to a closing brace; gives whether there is one.
    fn initial(&mut self, line: &str) -> Result<bool, String> {
        let (values, ends) = match line.split_once('}') {
            Some((values, _)) => (values, true),
            None => (line, false),
        };
        for entry in values.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
            if let Some((name, of)) = entry.split_once(" aliases ") {
                self.alias(name, of.trim())?;
                continue;
            }
            let number = entry
                .split_once('=')
                .and_then(|(name, value)| Some((name.trim(), value.trim().parse::<u32>().ok()?)));
            let Some((name, value)) = number else {
                return Err(format!(
                    "`{entry}`: accepted are LOCATION=NUMBER, THREAD:REGISTER=NUMBER and NAME @ PROXY aliases LOCATION"
                ));
            };
            match name.split_once(':') {
                Some((thread, register)) => {
                    let register = register.trim_start_matches('%').to_string();
                    self.registers.push((thread.to_string(), register, value));
                }
                None => self.locations.push((location(name), value)),
            }
        }
        Ok(ends)
    }

    /// `s @ surface` of `x`: the proxy of an access is that of its instruction.
    fn alias(&mut self, name: &str, of: &str) -> Result<(), String> {
        let (name, proxy) = name.split_once('@').unwrap_or((name, "generic"));
        let (name, of) = (location(name.trim()), address(&self.by_proxy, of));
        match proxy.trim() {
            "generic" => self.aliases.push((name, of)),
            "surface" | "texture" | "constant" => self.by_proxy.push((name, of)),
            other => {
                return Err(format!(
                    "`{other}`: accepted proxies are generic, surface, texture, constant"
                ));
            }
        }
        Ok(())
    }

    /// The first row names threads and their places, others have an instruction of each thread.
    fn row(&mut self, at: usize, line: &str) -> Result<(), String> {
        let line = line.strip_suffix(';').ok_or("a row ends with `;`")?;
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        if self.threads.is_empty() {
            for cell in cells {
                let thread = self.thread(at, cell)?;
                self.threads.push(thread);
            }
            return Ok(());
        }
        if cells.len() > self.threads.len() {
            return Err(format!("{} cells of {} threads", cells.len(), self.threads.len()));
        }
        for (number, cell) in cells.into_iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let text = self.instruction(number, cell)?;
            self.threads[number].lines.push((at, text));
        }
        Ok(())
    }

    /// `P0@cta 0,gpu 0`
    fn thread(&self, at: usize, cell: &str) -> Result<Thread, String> {
        let wrong = || format!("`{cell}`: accepted is THREAD@cta NUMBER,gpu NUMBER");
        let (name, place) = cell.split_once('@').ok_or_else(wrong)?;
        let (cta, gpu) = place.split_once(',').ok_or_else(wrong)?;
        let number =
            |text: &str, word: &str| text.trim().strip_prefix(word)?.trim().parse::<u32>().ok();
        let cta = number(cta, "cta").ok_or_else(wrong)?;
        let gpu = number(gpu, "gpu").ok_or_else(wrong)?;
        let place = format!("gpu{gpu}.gpm0.cta{cta}");
        let mut thread = Thread { name: name.trim().to_string(), place, ..Thread::default() };
        for (of, register, value) in &self.registers {
            if *of == thread.name || thread.name.strip_prefix('P') == Some(of) {
                let register = thread.register(register);
                thread.initial.push((at, register, *value));
            }
        }
        Ok(thread)
    }

    /// `ld.acquire.gpu r0, x` as `ld.acquire.gpu r0 x`
    fn instruction(&mut self, number: usize, cell: &str) -> Result<String, String> {
        let (mnemonic, rest) = cell.split_once(char::is_whitespace).unwrap_or((cell, ""));
        let operands: Vec<_> = rest.split(',').map(str::trim).filter(|it| !it.is_empty()).collect();
        let mnemonic = mnemonic
            .replace(".plus", ".add")
            .replace(".cta.sync", ".sync")
            .replace(".cta.arrive", ".arrive");
        let mnemonic = by_proxy(&mnemonic);
        if let Some(text) = self.rewritten(number, &mnemonic, &operands) {
            return Ok(text);
        }
        let opcode = mnemonic.split('.').next().unwrap_or_default();
        let thread = &mut self.threads[number];
        let is_number = |text: &str| text.parse::<u32>().is_ok();
        let mut written = |kinds: &str| {
            let each = |(kind, operand): (char, &&str)| match kind {
                'x' => address(&self.by_proxy, operand),
                _ if is_number(operand) => operand.to_string(),
                _ => thread.register(operand),
            };
            let operands: Vec<_> =
                kinds.chars().zip(&operands).filter(|it| it.0 != '-').map(each).collect();
            format!("{mnemonic} {}", operands.join(" "))
        };
        match (opcode, operands.len()) {
            ("ld", 2) if is_number(operands[1]) => {
                Ok(format!("mov {} {}", thread.register(operands[0]), operands[1]))
            }
            ("ld", 2) => Ok(written("rx")),
            ("st" | "red", 2) => Ok(written("xr")),
            ("atom", 3..=4) => Ok(written("rxrr")),
            ("mov", 2) => Ok(written("rr")),
            ("add" | "sub" | "and" | "or" | "xor", 3) => Ok(written("rrr")),
            ("fence", 0) => Ok(mnemonic.clone()),
            // The first of several is the instance, which changes nothing.
            ("bar" | "barrier", 1) => Ok(written("r").replace("barrier", "bar")),
            ("bar", 2..=3) => Ok(written("-rr")),
            ("goto", 1) => Ok(cell.to_string()),
            ("beq" | "bne" | "blt" | "ble" | "bgt" | "bge", 3) => {
                Ok(format!("{} {}", written("rr"), operands[2]))
            }
            (label, 0) if label.ends_with(':') => Ok(label.to_string()),
            _ => Err(format!(
                "`{cell}` is not supported: ld, st, atom, red, suld, sust, tld, cold, fence, bar.sync, bar.arrive, mov, add, \
                 sub, and, or, xor, goto, beq, bne, blt, ble, bgt, bge and labels are"
            )),
        }
    }

    /// Instructions that PTX does not have, as those that it has: `red.acq_rel` as `atom`, `.sub` as `.add`.
    fn rewritten(&mut self, number: usize, mnemonic: &str, operands: &[&str]) -> Option<String> {
        let opcode = mnemonic.split('.').next()?;
        let is_sum = mnemonic.ends_with(".sub");
        let (to, rest) = match (opcode, operands) {
            ("red", rest) if is_sum || mnemonic.contains(".acq_rel") => (NOWHERE, rest),
            ("atom", [to, rest @ ..]) if is_sum => (*to, rest),
            _ => return None,
        };
        let [at, value] = rest else { return None };
        let thread = &mut self.threads[number];
        let value = match value.parse::<u32>() {
            Ok(value) => if is_sum { value.wrapping_neg() } else { value }.to_string(),
            Err(_) if is_sum => return None,
            Err(_) => thread.register(value),
        };
        let modifiers = mnemonic.strip_prefix(opcode)?;
        let modifiers =
            modifiers.strip_suffix(".sub").map_or(modifiers.to_string(), |it| format!("{it}.add"));
        Some(format!(
            "atom{modifiers} {} {} {value}",
            thread.register(to),
            address(&self.by_proxy, at)
        ))
    }

    /// The lines `exists` or `forbidden` of a question.
    fn claims(&self, question: &str) -> Result<Vec<String>, String> {
        let known = [
            ("exists", "exists", true),
            ("~exists", "forbidden", true),
            ("forall", "forbidden", false),
        ];
        let found = known
            .iter()
            .find_map(|(word, claim, holds)| Some((question.strip_prefix(word)?, claim, *holds)));
        let (text, claim, holds) =
            found.ok_or("a question is expected: exists, ~exists or forall, with a condition")?;
        let cases = cases(&text.replace(": ", ":"), holds, &|what| self.term(what))?;
        if cases.iter().any(Vec::is_empty) {
            return Err("the condition is about no register and no location".to_string());
        }
        Ok(cases.iter().map(|terms| format!("{claim} {}", terms.join(" "))).collect())
    }
}

/// `suld.weak` as `ld.surface.weak`
fn by_proxy(mnemonic: &str) -> String {
    let (opcode, rest) = mnemonic.split_once('.').unwrap_or((mnemonic, ""));
    let ours = match opcode {
        "suld" => "ld.surface",
        "sust" => "st.surface",
        "tld" => "ld.texture",
        "cold" => "ld.constant",
        _ => return mnemonic.to_string(),
    };
    format!("{ours}.{rest}")
}

/// Our name of the generic address.
fn address(by_proxy: &[(String, String)], name: &str) -> String {
    let name = location(name);
    let generic = by_proxy.iter().find(|(known, _)| *known == name);
    generic.map_or(name, |(_, of)| of.clone())
}

/// Our name of a location.
fn location(name: &str) -> String {
    let name = name.trim_start_matches('[').trim_end_matches(']');
    let mut letters = name.chars().filter(char::is_ascii_alphanumeric);
    let first = letters.next().map(|letter| letter.to_ascii_lowercase());
    first.into_iter().chain(letters).collect()
}

impl Columns {
    /// `P0:r1` as `0:r1`
    fn term(&self, text: &str) -> Result<String, String> {
        let Some((thread, register)) = text.split_once(':') else {
            return Ok(address(&self.by_proxy, text));
        };
        let named = |it: &Thread| it.name == thread || it.name.strip_prefix('P') == Some(thread);
        let number = self.threads.iter().position(named);
        let number = number.ok_or_else(|| format!("{thread} is no thread"))?;
        let register = register.trim_start_matches('%');
        let registers = &self.threads[number].registers;
        let at = registers.iter().position(|known| known == register);
        let at = at.ok_or_else(|| format!("{thread} has no register {register}"))?;
        Ok(format!("{number}:r{at}"))
    }
}
