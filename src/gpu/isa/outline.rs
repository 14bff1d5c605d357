//! The outline of a module: its variables, and where its functions are. Bodies are not read.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use super::cursor::Cursor;
use super::declaration::{Declaration, declaration, declarations};
use super::error::PtxError;
use super::layout::Trouble;
use super::matrix::TensorCore;
use super::source::SourceText;
use super::types::Space;

/// A variable of the module.
#[derive(Debug)]
pub(super) struct ModuleVariable {
    pub(super) space: Space,
    /// Declared, but nothing defines it; of shared memory this is what the launch adds.
    pub(super) is_extern: bool,
    pub(super) declaration: Declaration,
}

/// What a kernel says of its launch.
#[derive(Debug, Default, Clone)]
pub(super) struct Limits {
    /// `.maxntid`
    pub(super) max_threads: Option<[u32; 3]>,
    /// `.reqntid`
    pub(super) required_threads: Option<[u32; 3]>,
    /// `.reqnctapercluster`
    pub(super) required_cluster: Option<[u32; 3]>,
    /// `.maxclusterrank`
    pub(super) max_cluster: Option<u32>,
    /// `.explicitcluster`
    pub(super) explicit_cluster: bool,
    /// `.minnctapersm`
    pub(super) min_ctas: Option<u32>,
    /// `.maxnreg`
    pub(super) max_registers: Option<u32>,
    /// A directive that keeps the kernel from being launched.
    pub(super) refused: Option<Trouble>,
}

/// A kernel or device function, or its prototype.
#[derive(Debug)]
pub(super) struct FunctionOutline {
    pub(super) name: String,
    /// Tokens of its head.
    pub(super) head: Range<usize>,
    pub(super) is_kernel: bool,
    pub(super) returned: Option<Declaration>,
    pub(super) parameters: Vec<Declaration>,
    pub(super) limits: Limits,
    /// Tokens between its braces, if it is defined.
    pub(super) body: Option<Range<usize>>,
}

/// The outline of a module.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) variables: Vec<ModuleVariable>,
    pub(super) functions: Vec<FunctionOutline>,
    /// That of its `.target`.
    pub(super) tensor_core: TensorCore,
    /// Source files by their number (`.file`).
    pub(super) source_files: BTreeMap<u32, String>,
    /// Functions by name: the definition, or else the prototype. Aliases are names, too.
    pub(super) by_name: HashMap<String, usize>,
}

impl Outline {
    /// Reads the outline of a module.
    pub(super) fn read(source: &SourceText) -> Result<Self, PtxError> {
        let mut outline = Self::default();
        let mut cursor = Cursor::new(source, 0..source.tokens().len());
        while !cursor.is_done() {
            let start = cursor.at();
            let read = outline.directive(&mut cursor);
            read.map_err(|what| source.error(source.statement(start), what))?;
        }
        Ok(outline)
    }

    /// The functions that have this name.
    pub(super) fn function(&self, name: &str) -> Option<(usize, &FunctionOutline)> {
        self.by_name.get(name).map(|at| (*at, &self.functions[*at]))
    }

    fn directive(&mut self, cursor: &mut Cursor) -> Result<(), Trouble> {
        let start = cursor.at();
        if cursor.take(b';') {
            return Ok(());
        }
        let mut is_extern = false;
        let name = loop {
            let name = if cursor.take(b'.') { cursor.word() } else { None };
            match name.ok_or("not a directive of PTX")? {
                "extern" => is_extern = true,
                "visible" | "weak" | "common" => {}
                name => break name,
            }
        };
        let space = match name {
            "global" | "tex" => Space::Global,
            "const" => Space::Const,
            "shared" => Space::Shared,
            "target" => {
                self.tensor_core = TensorCore::of_target(cursor.clone().next().unwrap_or_default());
                return skip(cursor, name);
            }
            "file" => {
                let mut ahead = cursor.clone();
                if let (Some(number), Some(name)) = (ahead.number(), ahead.next()) {
                    self.source_files.insert(number as u32, name.trim_matches('"').to_string());
                }
                return skip(cursor, name);
            }
            "entry" | "func" => return self.function_at(cursor, start, name == "entry"),
            "alias" => return self.alias(cursor),
            _ => return skip(cursor, name),
        };
        for mut declaration in declarations(cursor)? {
            // `.tex .u32 t` is `.global .texref t`.
            if name == "tex" {
                declaration.ty = "texref".to_string();
            }
            self.variables.push(ModuleVariable { space, is_extern, declaration });
        }
        cursor.take(b';').then_some(()).ok_or_else(|| "a semicolon is missing".into())
    }

    fn function_at(
        &mut self,
        cursor: &mut Cursor,
        start: usize,
        is_kernel: bool,
    ) -> Result<(), Trouble> {
        let (returned, name, parameters) = signature(cursor)?;
        let mut limits = Limits::default();
        while cursor.take(b'.') {
            limits.read(cursor)?;
        }
        let head = start..cursor.at();
        let body = match cursor.is_at(b'{') {
            true => Some(cursor.enclosed().ok_or("the file ends within this function")?),
            false if cursor.take(b';') => None,
            false => return Err("a body in braces is missing, or a semicolon".into()),
        };
        let known = self.function(&name);
        let is_defined = known.is_some_and(|(_, known)| known.body.is_some());
        if is_defined && body.is_some() {
            return Err(format!("{name} is defined twice"));
        }
        if !is_defined {
            self.by_name.insert(name.clone(), self.functions.len());
        }
        let function =
            FunctionOutline { name, head, is_kernel, returned, parameters, limits, body };
        self.functions.push(function);
        Ok(())
    }

    fn alias(&mut self, cursor: &mut Cursor) -> Result<(), Trouble> {
        let names = (cursor.name(), cursor.take(b','), cursor.name(), cursor.take(b';'));
        let (Some(alias), true, Some(of), true) = names else {
            return Err(".alias takes two names".into());
        };
        let at = *self.by_name.get(of).ok_or_else(|| format!("no function {of}"))?;
        self.by_name.insert(alias.to_string(), at);
        Ok(())
    }
}

/// Returned value, name and parameters.
fn signature(
    cursor: &mut Cursor,
) -> Result<(Option<Declaration>, String, Vec<Declaration>), Trouble> {
    let returned = parameters(cursor)?.pop();
    let name = cursor.name().ok_or("the name of the function is missing")?.to_string();
    Ok((returned, name, parameters(cursor)?))
}

/// Parameters in parentheses; none where there are no parentheses.
pub(super) fn parameters(cursor: &mut Cursor) -> Result<Vec<Declaration>, Trouble> {
    let mut all = Vec::new();
    if !cursor.take(b'(') {
        return Ok(all);
    }
    while !cursor.take(b')') {
        match (cursor.take(b'.'), cursor.word()) {
            (true, Some(space @ ("param" | "reg"))) => {
                let in_register = space == "reg";
                all.push(Declaration { in_register, ..declaration(cursor)? });
            }
            _ => return Err("a parameter begins with .param".into()),
        }
        if !cursor.take(b',') && !cursor.is_at(b')') {
            return Err("a comma or parenthesis is missing".into());
        }
    }
    Ok(all)
}

impl Limits {
    /// One directive between the head of a function and its body.
    fn read(&mut self, cursor: &mut Cursor) -> Result<(), Trouble> {
        let name = cursor.word().ok_or("the name of a directive is missing")?;
        let mut numbers = || -> Option<[u32; 3]> {
            let mut axes = [1; 3];
            for axis in &mut axes {
                *axis = u32::try_from(cursor.number()?).ok()?;
                if !cursor.take(b',') {
                    break;
                }
            }
            Some(axes)
        };
        let malformed = || format!(".{name} takes numbers");
        match name {
            "maxntid" => self.max_threads = Some(numbers().ok_or_else(malformed)?),
            "reqntid" => self.required_threads = Some(numbers().ok_or_else(malformed)?),
            "minnctapersm" => self.min_ctas = Some(numbers().ok_or_else(malformed)?[0]),
            "maxnreg" => self.max_registers = Some(numbers().ok_or_else(malformed)?[0]),
            "maxclusterrank" => self.max_cluster = Some(numbers().ok_or_else(malformed)?[0]),
            "maxnctapersm" => {
                numbers().ok_or_else(malformed)?;
            }
            "reqnctapercluster" => {
                self.required_cluster = Some(numbers().ok_or_else(malformed)?);
            }
            "explicitcluster" => self.explicit_cluster = true,
            "noreturn" | "abi_preserve" | "abi_preserve_control" => {}
            "pragma" => return skip(cursor, name),
            _ => {
                self.refused = Some(format!(".{name} is not supported for a function"));
                let is_end = |cursor: &Cursor| [b'.', b'{', b';'].iter().any(|m| cursor.is_at(*m));
                while !cursor.is_done() && !is_end(cursor) {
                    cursor.next();
                }
            }
        }
        Ok(())
    }
}

/// Goes past a directive that changes nothing for the machine, or refuses one.
pub(super) fn skip(cursor: &mut Cursor, name: &str) -> Result<(), Trouble> {
    let malformed = || format!("malformed .{name}");
    let mut words = |count: usize| (0..count).try_for_each(|_| cursor.next().map(|_| ()));
    match name {
        "version" => words(1),
        "address_size" => match cursor.number() {
            Some(32) => {
                return Err("32-bit addresses are not supported: .address_size 64 is".into());
            }
            size => size.map(|_| ()),
        },
        "target" => {
            let mut next = words(1);
            while next.is_some() && cursor.take(b',') {
                next = cursor.next().map(|_| ());
            }
            next
        }
        "file" => {
            let next = words(2);
            while next.is_some() && cursor.take(b',') {
                cursor.next();
            }
            next
        }
        "loc" => {
            let next = words(3);
            // `, function_name LABEL [+ N], inlined_at N N N`
            let mut next = next;
            while next.is_some() && cursor.take(b',') {
                let is_name = cursor.next() == Some("function_name");
                next = (0..if is_name { 1 } else { 3 }).try_for_each(|_| cursor.next().map(|_| ()));
                if is_name && cursor.take(b'+') {
                    cursor.next();
                }
            }
            next
        }
        "section" => {
            while !cursor.is_done() && !cursor.is_at(b'{') {
                cursor.next();
            }
            cursor.enclosed().map(|_| ())
        }
        "pragma" => {
            let next = words(1);
            cursor.take(b';').then_some(()).and(next)
        }
        // Debugging information outside of a section.
        "b8" | "b16" | "b32" | "b64" | "4byte" | "byte" => {
            let next = words(1);
            while next.is_some() && (cursor.take(b',') || cursor.take(b'+')) {
                cursor.next();
            }
            next
        }
        _ => return Err(format!("directive .{name} is not supported")),
    }
    .ok_or_else(malformed)
}
