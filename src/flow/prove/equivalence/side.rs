//! One of the two designs: read by yosys, and checked for what a comparison needs.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use warpsmith_rtl::PortLayout;
use warpsmith_testbench::dut::Dut;
use warpsmith_testbench::verilator::{self, ModulePort};

use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::netlist::{self, Bit, Cell, Direction, Module};
use crate::flow::tool::Program;
use crate::flow::users::{Language, Purpose, Users};
use crate::flow::yosys::run_script;

/// The two readings of conditions: with `-ifx`, an undefined condition of `if` and `case` is false, as in
/// simulation; without, it makes what it selects undefined.
pub(super) const READINGS: [(&str, &str); 2] = [("hardware", ""), ("simulated", "-ifx")];

/// Cells in other cells: a `$pmux` in a chain of multiplexers, as yosys's own tree would exploit an undefined default.
const CELLS: &str = include_str!("cells.v");
/// Multiplexers of `if` and `case` whose undefined condition is false. Slang makes its own, without `-ifx`.
const CONDITIONS: &str = include_str!("conditions.v");

/// A design that was read.
pub(super) struct Side {
    /// `a` or `b`.
    pub name: &'static str,
    /// Its files.
    pub users: Users,
    /// Top module.
    pub top: String,
    /// Values of the top module's parameters.
    pub parameters: Vec<(String, String)>,
    /// File of a module around the user's, if its ports are mapped.
    pub wrapper: Option<&'static str>,
    /// The flat netlist.
    pub module: Module,
}

/// A clock: a bit of an input port, and its active edge.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Clock {
    pub port: String,
    pub bit: usize,
    pub rises: bool,
}

/// Clocks of a design, and what more than clocks decides when its state changes.
#[derive(Default)]
pub(super) struct Clocks {
    pub all: BTreeSet<Clock>,
    /// It has latches or asynchronous resets, or a clock is data too.
    pub asynchronous: bool,
}

impl Side {
    /// Reads a design and writes its two flat netlists, `<name>-<reading>.il`.
    pub fn read(
        name: &'static str,
        dut: &Dut,
        top: &str,
        yosys: &Program,
        folder: &Folder,
        limit: Duration,
    ) -> Result<Self, FlowError> {
        let which = which(name);
        let named = |error| match error {
            FlowError::Input(what) => FlowError::Input(format!("{which}: {what}")),
            other => other,
        };
        let mut users = Users::new(dut, Purpose::Synthesis).map_err(named)?;
        users.write(folder)?;
        folder.write("cells.v", CELLS)?;
        folder.write("conditions.v", CONDITIONS)?;
        let parameters =
            dut.parameter_values().map_err(|error| named(FlowError::Input(error.to_string())))?;
        let script = |users: &Users| script(users, name, top, &parameters, None);
        users.run(yosys, folder, &format!("read-{name}"), &script, limit).map_err(named)?;
        let log = folder.read(&format!("read-{name}.log"))?;
        check_log(&log, &parameters).map_err(named)?;
        let module = netlist::module(folder, &format!("{name}.json"), top)?;
        let side = Self { name, users, top: top.to_string(), parameters, wrapper: None, module };
        side.check_ports().map_err(named)?;
        Ok(side)
    }

    /// The design in a module with the ports of the first one.
    pub fn in_place_of(
        mut self,
        first: &Side,
        dut: &Dut,
        yosys: &Program,
        folder: &Folder,
        limit: Duration,
    ) -> Result<Self, FlowError> {
        let mut layout = PortLayout::default();
        for (name, port) in first.module.ports.iter().filter(|(name, _)| *name != "clk") {
            match port.direction {
                Direction::Output => layout.push_output(name, port.bits.len() as u32),
                _ => layout.push_input(name, port.bits.len() as u32),
            }
        }
        let ports = self.module.ports.iter().map(|(name, port)| {
            let direction = match port.direction {
                Direction::Output => verilator::Direction::Output,
                _ => verilator::Direction::Input,
            };
            ModulePort::new(
                name,
                direction,
                port.bits.len() as u32,
                u32::try_from(port.offset).unwrap_or_default(),
            )
        });
        let has_clock = first.module.ports.contains_key("clk");
        let text = dut.wrapped(WRAPPER, &self.top, ports.collect(), &layout, has_clock);
        let text =
            text.map_err(|error| FlowError::Input(format!("{}: {error}", which(self.name))))?;
        folder.write(WRAPPER_FILE, &text)?;
        self.parameters.clear();
        self.wrapper = Some(WRAPPER_FILE);
        let text = script(&self.users, self.name, WRAPPER, &[], self.wrapper);
        run_script(yosys, folder, "wrap", &text, limit)?;
        self.module = netlist::module(folder, &format!("{}.json", self.name), WRAPPER)?;
        self.top = WRAPPER.to_string();
        Ok(self)
    }

    /// Names and widths of the ports of a direction.
    pub fn ports(&self, direction: Direction) -> Vec<(String, usize)> {
        let ports = self.module.ports.iter().filter(|(_, port)| port.direction == direction);
        ports.map(|(name, port)| (name.clone(), port.bits.len())).collect()
    }

    fn check_ports(&self) -> Result<(), FlowError> {
        for (name, port) in &self.module.ports {
            if port.direction == Direction::Inout {
                return Err(FlowError::Input(format!(
                    "port {name} of {} is an inout; only inputs and outputs are compared: split it into an input, \
                     an output and an enable",
                    self.top
                )));
            }
        }
        Ok(())
    }

    /// The first place that drives z, if any.
    pub fn tristate(&self) -> Option<String> {
        let is_z = |bits: &[Bit]| bits.contains(&Bit::Constant("z".to_string()));
        let port = self.module.ports.iter().find(|(_, port)| is_z(&port.bits));
        let at_port = port.map(|(name, _)| format!("port {name}"));
        at_port.or_else(|| {
            let cells = self.module.cells.values();
            let cell = cells.into_iter().find(|cell| {
                cell.kind == "$tribuf" || cell.connections.values().any(|bits| is_z(bits))
            });
            cell.map(|cell| match cell.attributes.src.as_str() {
                "" => "a tri-state buffer".to_string(),
                at => self.users.original(at),
            })
        })
    }

    /// Registers by name: named nets that are outputs of flip-flops or latches only.
    pub fn registers(&self) -> BTreeMap<&str, usize> {
        let states = self.module.cells.values().filter(|cell| is_state(&cell.kind));
        let outputs: BTreeSet<_> = states
            .filter_map(|cell| cell.connections.get("Q"))
            .flatten()
            .filter_map(Bit::net)
            .collect();
        let is_register = |bits: &[Bit]| {
            !bits.is_empty()
                && bits.iter().all(|bit| bit.net().is_some_and(|net| outputs.contains(&net)))
        };
        let nets = self.module.netnames.iter().filter(|(name, net)| {
            net.hide_name == 0 && !self.module.ports.contains_key(*name) && is_register(&net.bits)
        });
        nets.map(|(name, net)| (name.as_str(), net.bits.len())).collect()
    }

    /// Bits of registers that keep their initial value, since nothing assigns them: name, index and value. Yosys has
    /// no driver for them.
    pub fn constants(&self) -> Vec<(&str, usize, char)> {
        let cells = self.module.cells.values().flat_map(|cell| {
            let outputs = cell
                .connections
                .iter()
                .filter(|(port, _)| cell.port_directions.get(*port) != Some(&Direction::Input));
            outputs.flat_map(|(_, bits)| bits)
        });
        let ports = self.module.ports.values().filter(|port| port.direction == Direction::Input);
        let driven: BTreeSet<_> =
            cells.chain(ports.flat_map(|port| &port.bits)).filter_map(Bit::net).collect();
        let nets = self.module.netnames.iter().flat_map(|(name, net)| {
            let values = net.attributes.init.chars().rev();
            net.bits
                .iter()
                .zip(values)
                .enumerate()
                .map(move |(index, (bit, value))| (name, index, bit, value))
        });
        nets.filter(|(_, _, bit, value)| {
            *value != 'x' && bit.net().is_some_and(|net| !driven.contains(&net))
        })
        .map(|(name, index, _, value)| (name.as_str(), index, value))
        .collect()
    }

    /// The clocks of all registers.
    ///
    /// # Errors
    /// [`FlowError::Input`] for a clock that is not an input port or its inverse.
    pub fn clocks(&self) -> Result<Clocks, FlowError> {
        let inverters = self.inverters();
        let mut inputs = BTreeMap::new();
        for (name, port) in &self.module.ports {
            if port.direction == Direction::Input {
                let bits = port.bits.iter().enumerate();
                inputs.extend(bits.filter_map(|(bit, net)| Some((net.net()?, (name, bit)))));
            }
        }
        let mut clocks = Clocks::default();
        for cell in self.module.cells.values().filter(|cell| is_state(&cell.kind)) {
            let Some((net, mut rises)) = clock_of(cell) else {
                clocks.asynchronous = true;
                continue;
            };
            clocks.asynchronous |= has_asynchronous_input(cell);
            let Some(mut net) = net.net() else { continue };
            while let (false, Some(before)) = (inputs.contains_key(&net), inverters.get(&net)) {
                (net, rises) = (*before, !rises);
            }
            let Some((port, bit)) = inputs.get(&net) else {
                return Err(FlowError::Input(self.computed_clock(cell)));
            };
            clocks.all.insert(Clock { port: port.to_string(), bit: *bit, rises });
        }
        let is_clock = |net: u64| {
            let of = |(port, bit): &(&String, usize)| {
                clocks.all.iter().any(|clock| clock.port == **port && clock.bit == *bit)
            };
            inputs.get(&net).is_some_and(of)
        };
        clocks.asynchronous |= self.data_nets().into_iter().any(is_clock);
        Ok(clocks)
    }

    /// Input net of each inverter, by its output net.
    fn inverters(&self) -> BTreeMap<u64, u64> {
        let cells = self.module.cells.values();
        let inverters =
            cells.filter(|cell| matches!(cell.kind.as_str(), "$not" | "$_NOT_" | "$logic_not"));
        let nets = inverters.filter(|cell| cell.connections.get("A").is_some_and(|a| a.len() == 1));
        nets.filter_map(|cell| Some((cell.net("Y")?, cell.net("A")?))).collect()
    }

    /// Nets that are used other than as a clock.
    fn data_nets(&self) -> Vec<u64> {
        let mut nets: Vec<u64> = Vec::new();
        for cell in self.module.cells.values() {
            for (port, bits) in &cell.connections {
                if !(is_state(&cell.kind) && matches!(port.as_str(), "CLK" | "C")) {
                    nets.extend(bits.iter().filter_map(Bit::net));
                }
            }
        }
        let outputs = self.module.ports.values().filter(|port| port.direction == Direction::Output);
        nets.extend(outputs.flat_map(|port| &port.bits).filter_map(Bit::net));
        nets
    }

    fn computed_clock(&self, cell: &Cell) -> String {
        let net = cell.connections.get("Q").and_then(|bits| bits.first());
        let named = self
            .module
            .netnames
            .iter()
            .find(|(_, named)| named.hide_name == 0 && named.bits.first() == net);
        let register = named.map_or("a register", |(name, _)| name.as_str());
        let at = self.users.original(&cell.attributes.src);
        format!(
            "{}: the clock of {register} ({at}) is computed: a gated or divided clock. --equiv takes clocks that are \
             input ports: give the register an enable, or compare the parts before and behind the gate",
            which(self.name)
        )
    }
}

/// A module around the second design, and its file.
const WRAPPER: &str = "warpsmith_mapped";
const WRAPPER_FILE: &str = "warpsmith_mapped.v";

/// The words for a design in messages.
pub(super) fn which(side: &str) -> &'static str {
    if side == "a" { "the first design" } else { "the second design" }
}

/// Whether a cell keeps state. Gate-level cells have a `_` after the `$`.
fn is_state(kind: &str) -> bool {
    let kind = kind.trim_start_matches(['$', '_']).to_ascii_lowercase();
    ["dff", "adff", "sdff", "aldff", "dlatch", "adlatch", "sr", "ff"].iter().any(|family| {
        kind.strip_prefix(family).is_some_and(|rest| {
            rest.is_empty() || ["e", "ce", "sr", "sre", "_"].iter().any(|end| rest.starts_with(end))
        })
    })
}

/// Clock of a flip-flop and whether it rises; none of a latch.
fn clock_of(cell: &Cell) -> Option<(&Bit, bool)> {
    match (cell.connections.get("CLK"), cell.connections.get("C")) {
        (Some(bits), _) => Some((bits.first()?, cell.number("CLK_POLARITY") == Some(1))),
        // $_DFF_P_, $_DFFE_NP_, ...: the first letter is the clock's.
        (None, Some(bits)) => {
            let letters = cell.kind.trim_matches(['$', '_']).split_once('_')?.1;
            Some((bits.first()?, letters.starts_with('P')))
        }
        (None, None) => None,
    }
}

fn has_asynchronous_input(cell: &Cell) -> bool {
    let word_level =
        ["ARST", "ALOAD", "SET", "CLR"].iter().any(|port| cell.connections.contains_key(*port));
    // At the gate level the reset is R, which is asynchronous but in the families SDFF.
    let gate = cell.kind.starts_with("$_");
    let reset = ["R", "S", "L"].iter().any(|port| cell.connections.contains_key(*port));
    word_level || (gate && reset && !cell.kind.starts_with("$_SDFF"))
}

fn script(
    users: &Users,
    name: &str,
    top: &str,
    parameters: &[(String, String)],
    wrapper: Option<&str>,
) -> String {
    let own: Vec<_> = wrapper.iter().map(|file| file.to_string()).collect();
    let values: String =
        parameters.iter().map(|(name, value)| format!(" -chparam {name} {value}")).collect();
    let mut text = String::new();
    for (reading, conditions) in READINGS {
        text += &users.read(top, &own);
        let (conditions, own) = match users.language {
            Language::Slang if reading == "simulated" => {
                ("", "techmap -map conditions.v c:*$procmux*\n")
            }
            _ => (conditions, ""),
        };
        text += &format!(
            "hierarchy -check -top {top}{values}\nproc {conditions} -noopt -norom\n{own}flatten\nopt_clean\n\
             memory_collect\nmemory_map -keepdc\nopt_clean\nchformal -remove\ncheck\n"
        );
        if reading == "hardware" {
            text += &format!("write_json {name}.json\nwrite_verilog -noattr {name}-netlist.v\n");
        }
        text += &format!(
            "techmap -map cells.v\nrename {top} {name}_{reading}\nwrite_rtlil {name}-{reading}.il\n\
             design -reset\n"
        );
    }
    text
}

/// Refuses what yosys warns of and a comparison cannot represent.
fn check_log(log: &str, parameters: &[(String, String)]) -> Result<(), FlowError> {
    let unknown = parameters.iter().find(|(name, _)| {
        log.lines().any(|line| {
            line.contains("Warning") && line.contains("parameter") && line.contains(name.as_str())
        })
    });
    if let Some((name, _)) = unknown {
        return Err(FlowError::Input(format!("-G {name}: the top module has no such parameter")));
    }
    let refused = [
        ("found logic loop", "a combinational loop"),
        ("multiple conflicting drivers", "a net with several drivers"),
    ];
    for (warning, what) in refused {
        if let Some(at) = log.find(warning) {
            let lines: Vec<_> = log[at..].lines().take(4).map(str::trim).collect();
            return Err(FlowError::Input(format!(
                "it has {what}, which --equiv does not compare: {}",
                lines.join(" ")
            )));
        }
    }
    Ok(())
}
