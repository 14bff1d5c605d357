//! A minimal cell library for synthesis, with some cells that must not be used although they are the smallest
//! of their function.

/// A library that tests change before writing it.
#[derive(Clone)]
pub struct TinyLibrary {
    /// Its cells by name.
    pub cells: Vec<(&'static str, Cell)>,
    /// Time unit with its length in nanoseconds.
    pub time: (&'static str, f64),
    /// Capacitance unit with its size in picofarads.
    pub capacitance: (&'static str, f64),
}

/// A cell: its area and kind.
#[derive(Clone)]
pub struct Cell(pub f64, pub Kind);

#[derive(Clone)]
pub enum Kind {
    /// Output Y with this function of A and B.
    Logic(&'static str),
    /// The same, marked `dont_use`.
    DontUse(&'static str),
    /// A flip-flop on the rising edge with output Q, or with the complement only.
    FlipFlop { complement: bool },
    /// A flip-flop with a scan input.
    Scan,
    /// A latch.
    Latch,
    /// A clock gate.
    ClockGate,
    /// Area only.
    Fill,
}

impl TinyLibrary {
    pub fn new() -> Self {
        use Kind::*;
        let cells = vec![
            ("INV", Cell(1.0, Logic("!A"))),
            ("BUF", Cell(2.0, Logic("A"))),
            ("HB1", Cell(0.5, Logic("A"))),
            ("DLY4", Cell(0.4, Logic("A"))),
            ("NAND2", Cell(1.5, Logic("(A B)'"))),
            ("NAND2SMALL", Cell(0.1, DontUse("!(A&B)"))),
            ("NOR2", Cell(1.6, Logic("!(A|B)"))),
            ("TIE1", Cell(0.7, Logic("1"))),
            ("TIE0", Cell(0.7, Logic("0"))),
            ("DFF", Cell(6.0, FlipFlop { complement: false })),
            ("DFFN", Cell(4.5, FlipFlop { complement: true })),
            ("SDFF", Cell(3.0, Scan)),
            ("DLATCH", Cell(2.5, Latch)),
            ("CLKGATE", Cell(2.0, ClockGate)),
            ("FILL", Cell(0.2, Fill)),
        ];
        Self { cells, time: ("1ns", 1.0), capacitance: ("1,pf", 1.0) }
    }

    /// The library without a cell.
    pub fn without(mut self, name: &str) -> Self {
        self.cells.retain(|(cell, _)| *cell != name);
        self
    }

    /// The library with these cells only.
    pub fn only(mut self, names: &[&str]) -> Self {
        self.cells.retain(|(cell, _)| names.contains(cell));
        self
    }

    /// The text in Liberty format.
    pub fn text(&self) -> String {
        let cells: String = self.cells.iter().map(|(name, cell)| self.cell(name, cell)).collect();
        let (time, _) = self.time;
        let (capacitance, _) = self.capacitance;
        let index_1 = self.times([0.01, 0.5]);
        let index_2 = self.loads([0.001, 0.1]);
        format!(
            "/* Made by a test. */\nlibrary (tiny) {{\n  delay_model : table_lookup;\n  \
             time_unit : \"{time}\";\n  voltage_unit : \"1V\";\n  current_unit : \"1mA\";\n  \
             pulling_resistance_unit : \"1kohm\";\n  leakage_power_unit : \"1nW\";\n  \
             capacitive_load_unit ({capacitance});\n  \
             nom_process : 1;\n  nom_voltage : 1.1;\n  nom_temperature : 25;\n  \
             input_threshold_pct_fall : 50;\n  input_threshold_pct_rise : 50;\n  \
             output_threshold_pct_fall : 50;\n  output_threshold_pct_rise : 50;\n  \
             slew_lower_threshold_pct_fall : 20;\n  slew_lower_threshold_pct_rise : 20;\n  \
             slew_upper_threshold_pct_fall : 80;\n  slew_upper_threshold_pct_rise : 80;\n  \
             lu_table_template (delay) {{\n    variable_1 : input_net_transition;\n    \
             variable_2 : total_output_net_capacitance;\n    index_1 (\"{index_1}\");\n    \
             index_2 (\"{index_2}\");\n  }}\n  \
             lu_table_template (setup) {{\n    variable_1 : related_pin_transition;\n    \
             variable_2 : constrained_pin_transition;\n    index_1 (\"{index_1}\");\n    \
             index_2 (\"{index_1}\");\n  }}\n{cells}}}\n"
        )
    }

    fn cell(&self, name: &str, Cell(area, kind): &Cell) -> String {
        let body = match kind {
            Kind::Logic(function) => self.logic(function),
            Kind::DontUse(function) => format!("    dont_use : true;\n{}", self.logic(function)),
            Kind::FlipFlop { complement } => {
                let (pin, of) = if *complement { ("QN", "IQN") } else { ("Q", "IQ") };
                let data = self.data_pin("D");
                format!("{}{data}{}", self.flip_flop("D"), self.clocked(pin, of))
            }
            Kind::Scan => {
                let data: String = ["D", "SI", "SE"].map(|pin| self.data_pin(pin)).concat();
                let next = "(SE SI) + (!SE D)";
                format!("{}{data}{}", self.flip_flop(next), self.clocked("Q", "IQ"))
            }
            Kind::Latch => format!(
                "    latch (IQ,IQN) {{ enable : \"CK\"; data_in : \"D\"; }}\n{}{}{}",
                self.input("CK"),
                self.input("D"),
                self.clocked("Q", "IQ")
            ),
            Kind::ClockGate => format!(
                "    clock_gating_integrated_cell : \"latch_posedge\";\n{}",
                self.logic("A B")
            ),
            Kind::Fill => String::new(),
        };
        format!("  cell ({name}) {{\n    area : {area};\n    cell_leakage_power : 1;\n{body}  }}\n")
    }

    fn logic(&self, function: &str) -> String {
        let pins: Vec<_> = ["A", "B"].into_iter().filter(|pin| function.contains(pin)).collect();
        let inputs: String = pins.iter().map(|pin| self.input(pin)).collect();
        let sense = if function.contains(['!', '\'']) { "negative" } else { "positive" };
        let arcs = pins.iter().map(|pin| {
            let head = format!("related_pin : \"{pin}\"; timing_sense : {sense}_unate;");
            self.arc(&head)
        });
        let arcs: String = arcs.collect();
        format!(
            "{inputs}    pin (Y) {{ direction : output; function : \"{function}\";\n{arcs}    }}\n"
        )
    }

    fn flip_flop(&self, next: &str) -> String {
        let clock = self.input("CK").replace("direction", "clock : true; direction");
        format!("    ff (IQ,IQN) {{ clocked_on : \"CK\"; next_state : \"{next}\"; }}\n{clock}")
    }

    fn clocked(&self, pin: &str, function: &str) -> String {
        let arc = self.arc("related_pin : \"CK\"; timing_type : rising_edge;");
        format!("    pin ({pin}) {{ direction : output; function : \"{function}\";\n{arc}    }}\n")
    }

    fn input(&self, pin: &str) -> String {
        let [capacitance, _] = [0.002, 0.0].map(|c| c / self.capacitance.1);
        format!("    pin ({pin}) {{ direction : input; capacitance : {capacitance}; }}\n")
    }

    fn data_pin(&self, pin: &str) -> String {
        let values = self.table([0.05, 0.06, 0.05, 0.06]);
        let edge =
            |edge: &str| format!("        {edge}_constraint (setup) {{ values ({values}); }}\n");
        let head = "related_pin : \"CK\"; timing_type : setup_rising;";
        let arc = format!("      timing () {{ {head}\n{}{}      }}\n", edge("rise"), edge("fall"));
        self.input(pin).replace("}\n", &format!("\n{arc}    }}\n"))
    }

    fn arc(&self, head: &str) -> String {
        let table = |name: &str, values| {
            format!("        {name} (delay) {{ values ({}); }}\n", self.table(values))
        };
        let tables = [
            table("cell_rise", [0.02, 0.4, 0.1, 0.5]),
            table("cell_fall", [0.02, 0.4, 0.1, 0.5]),
            table("rise_transition", [0.01, 0.5, 0.05, 0.5]),
            table("fall_transition", [0.01, 0.5, 0.05, 0.5]),
        ];
        format!("      timing () {{ {head}\n{}      }}\n", tables.concat())
    }

    fn table(&self, [a, b, c, d]: [f64; 4]) -> String {
        format!("\"{}\", \"{}\"", self.times([a, b]), self.times([c, d]))
    }

    fn times(&self, ns: [f64; 2]) -> String {
        let [a, b] = ns.map(|ns| ns / self.time.1);
        format!("{a}, {b}")
    }

    fn loads(&self, pf: [f64; 2]) -> String {
        let [a, b] = pf.map(|pf| pf / self.capacitance.1);
        format!("{a}, {b}")
    }
}
