//! The netlist for proofs: every undefined value is an input, large memories are [cut out](super::cut), free choices
//! or all registers are [released](super::free), and the rest is gates.

use super::cut::{CutRam, cut};
use super::free::{FreeCells, FreeRegister, every, release};
use super::planting::{LIMIT, whole};
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::netlist;
use crate::flow::tool::Program;
use crate::flow::yosys::run_script;

/// Each undefined constant, also of an index out of range, gets its own net, which becomes an input, and so does the power-up value of each
/// register. Then maps to gates, once for all mutants.
const FOR_PROOFS: &str = "opt_clean
techmap -autoproc -max_iter 1 -map powerup.v
techmap t:$shiftx
setundef -anyseq
select -set free t:$anyseq %co1 t:* %d w:*undefined %u
delete t:$anyseq
rename -enumerate -pattern undefined_% @free
setundef -undriven -expose -undef
opt -full
techmap
opt -fast
simplemap
dffunmap
opt_clean
";
/// A netlist whose undefined values are inputs.
#[derive(Clone)]
pub struct ProofNetlist {
    /// Yosys's file of the module.
    pub file: String,
    /// The inputs for undefined values, with their widths.
    pub undefined: Vec<(String, u32)>,
    /// Memories that were cut out of it.
    pub rams: Vec<CutRam>,
    /// Registers that were released from it.
    pub free: Vec<FreeRegister>,
    /// These are all registers, and circuit and mutant share them.
    pub is_shared: bool,
}

/// How proofs treat registers.
#[derive(Clone, Copy, Debug)]
pub enum Registers<'c> {
    /// Circuit and mutant have their own.
    Own,
    /// Those of free choices are released.
    Released(&'c [FreeCells]),
    /// Circuit and mutant share them.
    Shared,
}

/// How proofs treat memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memories {
    /// As registers.
    Registers,
    /// [Cut out](super::cut).
    CutOut,
}

/// Makes the netlist for proofs from the whole one; none where a memory cannot be cut out.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn for_proofs(
    yosys: &Program,
    folder: &Folder,
    top: &str,
    name: &str,
    memories: Memories,
    registers: Registers<'_>,
) -> Result<Option<ProofNetlist>, FlowError> {
    let text = folder.read(&whole(name))?;
    let (free, suffix) = match registers {
        Registers::Own => (Some(Vec::new()), ""),
        Registers::Released(choices) => (Some(choices.to_vec()), "-released"),
        Registers::Shared => (every(&netlist::module(folder, &whole(name), top)?), "-shared"),
    };
    let released = free.and_then(|free| release(&text, top, &free));
    let Some((text, free)) = released else { return Ok(None) };
    let (text, rams) = match memories {
        Memories::Registers => (text, Vec::new()),
        Memories::CutOut => {
            let Some(cut) = cut(&text, top) else { return Ok(None) };
            cut
        }
    };
    let name = format!("{name}{suffix}");
    let (netlist, ports) = (format!("{name}-proof.il"), format!("{name}-proof.json"));
    let file = format!("{name}-cut.json");
    folder.write(&file, &text)?;
    let read = format!("read_json {file}\nmemory_map\n");
    folder.write("powerup.v", include_str!("powerup.v"))?;
    let script = format!("{read}{FOR_PROOFS}write_rtlil {netlist}\nwrite_json {ports}\n");
    run_script(yosys, folder, &format!("{name}-proof"), &script, LIMIT)?;
    let undefined = undefined_inputs(folder, &ports, top)?;
    let is_shared = matches!(registers, Registers::Shared);
    Ok(Some(ProofNetlist { file: netlist, undefined, rams, free, is_shared }))
}

fn undefined_inputs(
    folder: &Folder,
    file: &str,
    top: &str,
) -> Result<Vec<(String, u32)>, FlowError> {
    let module = netlist::module(folder, file, top)?;
    let inputs = module.ports.into_iter().filter(|(name, _)| name.starts_with("undefined_"));
    Ok(inputs.map(|(name, port)| (name, port.bits.len() as u32)).collect())
}
