//! A user's own Verilog on the command line.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use warpsmith_rtl::Module;
use warpsmith_testbench::bench::MOST_RESET_CLOCKS;
use warpsmith_testbench::dut::{Dut, DutError, DutSource};
use warpsmith_testbench::verilator::Warning;

use super::UserError;
use super::design::quoted;
use crate::flow::users::{Purpose, Verilog};

/// Number of warnings shown; the others are only counted.
const WARNINGS_SHOWN: usize = 20;

/// Your own Verilog in the place of the circuit. Below a module of the circuit that it does not define, the
/// emitted Verilog completes it.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Your own Verilog")]
pub(super) struct DutArgs {
    /// Your own Verilog or SystemVerilog in the place of the circuit; repeat for more files, in reading
    /// order
    #[arg(long, value_name = "FILE.v")]
    dut: Vec<PathBuf>,
    /// File list: files, +incdir+DIR, +define+NAME=VALUE, -f LIST; read before --dut. Paths are relative to
    /// the folder of the list, else to the current one
    #[arg(short = 'f', value_name = "LIST")]
    lists: Vec<PathBuf>,
    /// Folder of included files, searched after the folder of the including file
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
    /// Macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Your top module, if its name is not the block's
    #[arg(long, value_name = "MODULE")]
    top: Option<String>,
    /// A module of the emitted Verilog that yours may instantiate without a file of it, or `all`; what is below
    /// it is taken from the emitted Verilog too
    #[arg(long, value_name = "MODULE")]
    ours: Vec<String>,
    /// Parameter of your top module
    #[arg(short = 'G', value_name = "NAME=VALUE", value_parser = pair)]
    parameters: Vec<(String, String)>,
    /// A port of your top module and its name in `warpsmith show`, such as i_valid=req_valid, or bits of either,
    /// such as 'p[7:4]=req_kind'; several inputs may have one name
    #[arg(long, value_name = "THEIRS=OURS", value_parser = pair)]
    map: Vec<(String, String)>,
    /// Constant value of an input, or bits of one, that only your top module has
    #[arg(long = "tie", value_name = "PORT=VALUE", value_parser = pair)]
    ties: Vec<(String, String)>,
    /// Active level of your top module's reset; asynchronous or synchronous
    #[arg(long, value_enum, default_value_t)]
    reset: ResetArg,
    /// Clocks of each reset, one unless said; if more, nothing is offered for as many clocks after it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_RESET_CLOCKS))]
    reset_clocks: Option<u64>,
    /// Treat Verilator's warnings about your files as errors
    #[arg(long)]
    werror: bool,
    /// The option that gave the files, if not `--dut`.
    #[arg(skip)]
    option: Option<&'static str>,
    /// Whether the warnings were already printed.
    #[arg(skip)]
    is_told: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum ResetArg {
    /// High, like our `rst`
    #[default]
    ActiveHigh,
    /// Low: the module gets our `rst` inverted
    ActiveLow,
}

impl DutArgs {
    /// Files of another option, and the modules of ours that theirs may have.
    pub fn of_files(files: &[PathBuf], ours: &[String], option: &'static str) -> Self {
        Self { dut: files.to_vec(), ours: ours.to_vec(), option: Some(option), ..Self::default() }
    }

    /// The same files for a part: their module of the part's name is the top.
    pub fn of_part(&self) -> Self {
        Self {
            top: None,
            parameters: Vec::new(),
            map: Vec::new(),
            ties: Vec::new(),
            reset: ResetArg::ActiveHigh,
            werror: false,
            is_told: true,
            ..self.clone()
        }
    }

    /// Clocks of each reset, if said.
    pub fn reset_clocks(&self) -> Option<u64> {
        self.reset_clocks
    }

    /// Whether the user gave Verilog.
    pub fn is_given(&self) -> bool {
        !self.dut.is_empty() || !self.lists.is_empty()
    }

    /// The user's Verilog as given, if any.
    pub fn dut(&self) -> Result<Option<Dut>, UserError> {
        self.refuse_idle_options()?;
        let dut = || Dut {
            files: self.dut.clone(),
            lists: self.lists.clone(),
            include: self.include.clone(),
            defines: self.defines.clone(),
            top: self.top.clone(),
            parameters: self.parameters.clone(),
            map: self.map.clone(),
            ties: self.ties.clone(),
            reset_is_low: self.reset == ResetArg::ActiveLow,
            reset_clocks: self.reset_clocks,
            ours: self.ours.clone(),
        };
        Ok(self.is_given().then(dut))
    }

    /// The error message, with the option that gave the files.
    pub fn wrong(&self, error: &DutError) -> UserError {
        UserError::new(format!("{}: {error}", self.first_option()))
    }

    /// The user's Verilog, if any, with the ports of the circuit. Verilator's warnings go to the standard
    /// error.
    pub fn source(&self, circuit: &Module) -> Result<Option<DutSource>, UserError> {
        let Some(dut) = self.dut()? else { return Ok(None) };
        let source = dut.source(circuit).map_err(|error| self.wrong(&error))?;
        self.tell(&source.warnings)?;
        Ok(Some(source))
    }

    /// The user's Verilog, if any, as yosys reads it for a purpose.
    pub fn verilog(
        &self,
        circuit: &Module,
        purpose: Purpose,
    ) -> Result<Option<Verilog>, UserError> {
        let (Some(dut), Some(source)) = (self.dut()?, self.source(circuit)?) else {
            return Ok(None);
        };
        let verilog = Verilog::of_user(&dut, source, purpose);
        verilog
            .map(Some)
            .map_err(|error| UserError::new(format!("{}: {error}", self.first_option())))
    }

    /// One of two designs to compare: a file or a file list, with the options for both and those with its prefix.
    pub fn side(&self, prefix: &str, file: &Path) -> Result<Dut, UserError> {
        let own = |text: &String| match text.split_at_checked(2) {
            Some((given, rest)) if given == prefix => Some(rest.to_string()),
            Some(("a:" | "b:", _)) => None,
            _ => Some(text.clone()),
        };
        let pairs = |given: &[(String, String)]| -> Vec<_> {
            given.iter().filter_map(|(name, value)| Some((own(name)?, value.clone()))).collect()
        };
        let is_list =
            ["f", "fl", "flist"].iter().any(|end| file.extension().is_some_and(|e| e == *end));
        let files = vec![file.to_path_buf()];
        let (files, lists) = if is_list { (Vec::new(), files) } else { (files, Vec::new()) };
        if !self.lists.is_empty() || !self.ours.is_empty() {
            let what = "-f and --ours are not for --equiv: name a file list (.f) as a design";
            return Err(UserError::new(what.to_string()));
        }
        let is_second = prefix == "b:";
        let of_second =
            |given: &[(String, String)]| if is_second { given.to_vec() } else { Vec::new() };
        Ok(Dut {
            files,
            lists,
            defines: self.defines.iter().filter_map(own).collect(),
            parameters: pairs(&self.parameters),
            include: self.include.clone(),
            map: of_second(&self.map),
            ties: of_second(&self.ties),
            reset_is_low: is_second && self.reset == ResetArg::ActiveLow,
            ..Dut::default()
        })
    }

    /// The top modules of two designs to compare, from `MODULE` or `FIRST,SECOND`.
    pub fn tops(&self) -> Result<[String; 2], UserError> {
        let given = self.top.as_deref().unwrap_or_default();
        let (a, b) = given.split_once(',').unwrap_or((given, given));
        let is_name = |name: &str| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        match is_name(a) && is_name(b) {
            true => Ok([a.to_string(), b.to_string()]),
            false => Err(UserError::new(format!(
                "--top {given}: a module's name is accepted, or two, as FIRST,SECOND"
            ))),
        }
    }

    /// Files and lists, for messages.
    pub fn names(&self) -> String {
        let names = self.lists.iter().chain(&self.dut).map(|path| path.display().to_string());
        names.collect::<Vec<_>>().join(" ")
    }

    /// The options for a shell command, each after a space.
    pub fn as_arguments(&self) -> String {
        let path = |path: &PathBuf| path.display().to_string();
        let pairs = |(name, value): &(String, String)| format!("{name}={value}");
        let groups: [(&str, Vec<String>); 8] = [
            ("--dut", self.dut.iter().map(path).collect()),
            ("-f", self.lists.iter().map(path).collect()),
            ("-I", self.include.iter().map(path).collect()),
            ("-D", self.defines.clone()),
            ("--ours", self.ours.clone()),
            ("-G", self.parameters.iter().map(pairs).collect()),
            ("--map", self.map.iter().map(pairs).collect()),
            ("--tie", self.ties.iter().map(pairs).collect()),
        ];
        let mut text = String::new();
        for (option, values) in groups {
            values.iter().for_each(|value| text += &format!(" {option} {}", quoted(value)));
        }
        self.top.iter().for_each(|top| text += &format!(" --top {}", quoted(top)));
        if self.reset == ResetArg::ActiveLow {
            text += " --reset active-low";
        }
        self.reset_clocks.iter().for_each(|clocks| text += &format!(" --reset-clocks {clocks}"));
        text
    }

    fn first_option(&self) -> &'static str {
        self.option.unwrap_or(if self.dut.is_empty() { "-f" } else { "--dut" })
    }

    /// Rejects reading options without files.
    fn refuse_idle_options(&self) -> Result<(), UserError> {
        let idle = !self.is_given() && (!self.as_arguments().is_empty() || self.werror);
        match idle {
            false => Ok(()),
            true => Err(UserError::new(
                "-I, -D, -G, --top, --ours, --map, --tie, --reset, --reset-clocks and --werror are about your \
                 own Verilog: give it with --dut FILE or -f LIST",
            )),
        }
    }

    /// Prints Verilator's warnings on the standard error, or rejects the files.
    pub fn tell(&self, warnings: &[Warning]) -> Result<(), UserError> {
        if self.is_told {
            return Ok(());
        }
        let mut text: Vec<_> =
            warnings.iter().take(WARNINGS_SHOWN).map(|warning| warning.to_string()).collect();
        if warnings.len() > WARNINGS_SHOWN {
            text.push(format!("... and {} more warnings", warnings.len() - WARNINGS_SHOWN));
        }
        if self.werror && !warnings.is_empty() {
            let text = text.join("\n");
            return Err(UserError::new(format!(
                "{}: Verilator warns, and --werror is given:\n{text}",
                self.first_option()
            )));
        }
        let yellow = anstyle::AnsiColor::Yellow.on_default().bold();
        text.iter().for_each(|text| anstream::eprintln!("{yellow}warning:{yellow:#} {text}"));
        Ok(())
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() && !value.is_empty() => {
            Ok((name.to_string(), value.to_string()))
        }
        _ => Err("it is not NAME=VALUE".to_string()),
    }
}
