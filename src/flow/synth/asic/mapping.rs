//! Synthesis and mapping: the scripts for yosys and abc.

use std::fmt::Write as _;
use std::time::Duration;

use super::cells::Cells;
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::tool::{Program, Version};
use crate::flow::yosys::{YOSYS, run_script};

/// Input of the mapping.
pub(super) struct Mapping<'a> {
    /// The design's top module.
    pub top: &'a str,
    /// Verilog files in the folder; RAM macros are black boxes.
    pub verilog: &'a [String],
    /// Cell libraries in the folder.
    pub libraries: &'a [String],
    /// Clock period in picoseconds.
    pub period_ps: f64,
}

/// Suffix of flip-flop names: each is named after its register bit, and no name of a design has a `$`.
pub(super) const FLIP_FLOP: &str = "$ff";

/// Optimise, map for delay, then buffer nets of more than 16 sinks and size cells for the requested delay.
const ABC: &str = "strash
ifraig
scorr
dc2
dch -f
&get -n
&nf {D}
&put
buffer -N 16
upsize {D}
dnsize {D}
stime -p
";

/// Maps to the cells and writes `netlist.v` and `netlist.json`.
///
/// # Errors
/// [`FlowError::Tool`] or [`FlowError::File`].
pub(super) fn map(
    yosys: &Program,
    folder: &Folder,
    cells: &Cells<'_>,
    mapping: &Mapping<'_>,
    limit: Duration,
) -> Result<(), FlowError> {
    if mapping.libraries.len() > 1 {
        yosys.need(Version(0, 70), " for more than one cell library", YOSYS.packages)?;
    }
    // Ports have two thirds of the period inside, less the flip-flops' part.
    let delay = format!("-D {:.0}", (mapping.period_ps * 2.0 / 3.0).max(1.0));
    folder.write("map.abc", &ABC.replace("{D}", &delay))?;
    let femtofarads = cells.load * 1e15;
    let constraints =
        format!("set_driving_cell {}\nset_load {femtofarads:.4}\n", cells.driver.name);
    folder.write("map.constr", &constraints)?;
    run_script(yosys, folder, "synth", &script(cells, mapping), limit)?;
    Ok(())
}

fn script(cells: &Cells<'_>, mapping: &Mapping<'_>) -> String {
    let top = mapping.top;
    let liberty: String =
        mapping.libraries.iter().map(|file| format!(" -liberty {file}")).collect();
    let mut text = String::new();
    for file in mapping.verilog {
        let _ = writeln!(text, "read_verilog {file}");
    }
    let _ = write!(
        text,
        "hierarchy -check -top {top}\n\
         # State machines keep their coding, so that the netlist has the design's registers.\n\
         synth -flatten -nofsm -top {top}\n\
         rename -wire -suffix {FLIP_FLOP} t:$_*FF*\n\
         dfflibmap{liberty}\n\
         opt\n\
         # Without -constr abc does not buffer.\n\
         abc{liberty} -constr map.constr -script map.abc\n\
         setundef -zero\n"
    );
    // A layout has more tie cells; one of each keeps the logic area independent of that.
    if let (Some((high, h)), Some((low, l))) = (cells.tie_high, cells.tie_low) {
        let _ = writeln!(text, "hilomap -singleton -hicell {high} {h} -locell {low} {l}");
    }
    text += "opt_clean -purge\n\
             # What has no name gets one, the same in both files.\n\
             rename -enumerate -pattern _%_\n\
             # OpenSTA reads no concatenation on the left.\n\
             write_verilog -simple-lhs -noattr -noexpr -nohex -nodec netlist.v\n\
             write_json netlist.json\n";
    text
}
