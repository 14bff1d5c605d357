//! A Liberty library of one RAM macro, for OpenSTA.

use std::fmt::Write as _;

use warpsmith_rtl::address_bits;
use warpsmith_rtl::ir;

use super::Timing;

/// The library of a memory's module. Without timing it only declares the ports. `load` is the capacitance of
/// each input in farads.
///
/// It has no power: OpenSTA of 2019 would add a macro's to that of the cells.
pub fn library(module: &str, memory: &ir::Memory, timing: Option<&Timing>, load: f64) -> String {
    let address = address_bits(memory.rows);
    let mut ports = Ports { text: String::new(), timing, picofarads: load * 1e12 };
    for (i, port) in memory.write_ports.iter().enumerate() {
        ports.input(&format!("w{i}_enable"), 1);
        ports.input(&format!("w{i}_address"), address);
        ports.input(&format!("w{i}_data"), memory.width);
        if port.lanes.is_some() {
            ports.input(&format!("w{i}_lanes"), memory.lanes);
        }
    }
    for i in 0..memory.read_ports.len() {
        ports.input(&format!("r{i}_enable"), 1);
        ports.input(&format!("r{i}_address"), address);
        ports.output(&format!("r{i}_data"), memory.width);
    }
    let mut widths: Vec<u32> =
        vec![address, memory.width, if memory.lanes > 1 { memory.lanes } else { 1 }];
    widths.sort_unstable();
    widths.dedup();
    let types: String = widths.iter().filter(|w| **w > 1).map(|width| bus_type(*width)).collect();
    format!(
        "library ({module}_macro) {{\n  \
           delay_model : table_lookup;\n  \
           time_unit : \"1ns\";\n  voltage_unit : \"1V\";\n  current_unit : \"1mA\";\n  \
           pulling_resistance_unit : \"1kohm\";\n  leakage_power_unit : \"1mW\";\n  \
           capacitive_load_unit (1, pf);\n  \
           nom_process : 1;\n  nom_voltage : 1;\n  nom_temperature : 25;\n  \
           input_threshold_pct_fall : 50;\n  input_threshold_pct_rise : 50;\n  \
           output_threshold_pct_fall : 50;\n  output_threshold_pct_rise : 50;\n  \
           slew_lower_threshold_pct_fall : 20;\n  slew_lower_threshold_pct_rise : 20;\n  \
           slew_upper_threshold_pct_fall : 80;\n  slew_upper_threshold_pct_rise : 80;\n\
         {types}  cell ({module}) {{\n    interface_timing : true;\n    \
           pin (clk) {{ direction : input; clock : true; capacitance : {:e}; }}\n\
         {}  }}\n}}\n",
        ports.picofarads, ports.text
    )
}

fn bus_type(width: u32) -> String {
    format!(
        "  type (bits{width}) {{ base_type : array; data_type : bit; bit_width : {width}; \
         bit_from : {}; bit_to : 0; downto : true; }}\n",
        width - 1
    )
}

struct Ports<'a> {
    text: String,
    timing: Option<&'a Timing>,
    picofarads: f64,
}

impl Ports<'_> {
    fn input(&mut self, name: &str, width: u32) {
        let setup = self.timing.map(|timing| {
            format!(
                "      timing () {{ related_pin : \"clk\"; timing_type : setup_rising; {} }}\n",
                both("constraint", timing.setup_ns)
            )
        });
        let capacitance = format!("capacitance : {:e};", self.picofarads);
        self.port(name, width, &format!("direction : input; {capacitance}"), setup);
    }

    fn output(&mut self, name: &str, width: u32) {
        let delay = self.timing.map(|timing| {
            let delay = format!("{:e}", timing.clock_to_data_ns);
            format!(
                "      timing () {{ related_pin : \"clk\"; timing_type : rising_edge; \
                 cell_rise (scalar) {{ values (\"{delay}\"); }} \
                 cell_fall (scalar) {{ values (\"{delay}\"); }} {} }}\n",
                both("transition", 0.0)
            )
        });
        self.port(name, width, "direction : output;", delay);
    }

    fn port(&mut self, name: &str, width: u32, attributes: &str, timing: Option<String>) {
        let timing = timing.unwrap_or_default();
        let _ = match width {
            1 => writeln!(self.text, "    pin ({name}) {{ {attributes}\n{timing}    }}"),
            _ => writeln!(
                self.text,
                "    bus ({name}) {{ bus_type : bits{width}; {attributes}\n{timing}    }}"
            ),
        };
    }
}

/// The same value for both edges.
fn both(what: &str, value: f64) -> String {
    let edge = |edge: &str| format!("{edge}_{what} (scalar) {{ values (\"{value:e}\"); }}");
    format!("{} {}", edge("rise"), edge("fall"))
}

#[cfg(test)]
mod tests {
    use warpsmith_rtl::{Collision, ModuleBuilder};

    use super::*;
    use crate::flow::liberty::syntax::parse;

    #[test]
    fn every_port_of_the_module_is_a_pin_of_its_width() {
        let m = ModuleBuilder::new("holder");
        let (enable, address) = (m.input("enable", 1), m.input("address", 5));
        let (data, lanes) = (m.input("data", 12), m.input("lanes", 3));
        let memory = m.memory("rows", 20, 12, 3, Collision::Undefined);
        memory.write_lanes(enable, address, data, lanes);
        m.output("read", memory.read("row", enable, address));
        let module = m.finish();

        let timing = Timing { clock_to_data_ns: 0.5, setup_ns: 0.1, cycle_ns: None };
        let text = library("holder_rows", &module.memories[0], Some(&timing), 1e-15);
        let library = parse(&text).unwrap();
        let cell = library.of_kind("cell").next().unwrap();
        let width = |name: &str| {
            let port = cell.groups.iter().find(|group| group.name() == Some(name)).unwrap();
            let types = port.attribute("bus_type");
            let is_type = |of: &&crate::flow::liberty::syntax::Group<'_>| of.name() == types;
            library.of_kind("type").find(is_type).and_then(|of| of.number("bit_width"))
        };
        assert_eq!(width("clk"), None);
        assert_eq!(width("w0_enable"), None);
        assert_eq!(width("w0_address"), Some(5.0));
        assert_eq!(width("w0_data"), Some(12.0));
        assert_eq!(width("w0_lanes"), Some(3.0));
        assert_eq!(width("r0_data"), Some(12.0));
    }
}
