//! Mutants of a circuit that is too large for proofs: the same site with small parameters.
//!
//! A site is recognised by its names without numbers: `place5_granule == item_address[31:5]` and
//! `place0_granule == item_address[3:1]` are the same site. A mutant counts as equivalent if every mutant of
//! its kind at every such site is proven equivalent with the small parameters, or every one of them whose bit
//! is as far from the lowest, or from the highest, bit of the port. Small are those of preset `tiny`, and the
//! circuit's own with the fewest rows.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::same_row::Hashing;
use warpsmith_testbench::backend::verilog_source;
use warpsmith_testbench::bench::Bench;

use super::equivalence::{PlantedMutant, Proof, Provers, equivalence};
use super::location::Names;
use super::miter::assumptions;
use super::mutation::{Mode, Mutation, MutationKind};
use super::own::{self, Ram};
use super::planting::{Mutant, Selection, flattened, mutant, plant, prepare};
use super::proof_netlist::Memories;
use super::record::{Judged, MutantVerdict};
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::netlist::Module;
use crate::flow::parallel;
use crate::flow::users::Verilog;

/// The preset with small parameters, which every block has.
pub const PRESET: &str = "tiny";
/// Most mutants of one site that are proven.
const MOST: usize = 200;

/// The site of a mutation, independent of the parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    mode: Mode,
    /// Type of the cell.
    cell: String,
    port: String,
    /// Names without numbers.
    names: String,
    is_of_row: bool,
    bits: Bits,
}

/// Bits of a port, whatever its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Bits {
    All,
    FromLowest(u32),
    FromHighest(u32),
}

impl Site {
    /// The sites that a mutation belongs to, that of all bits first.
    pub fn all_of(names: &Names<'_>, mutation: &Mutation) -> Vec<Self> {
        let (Some(cell), Some(signal)) = (names.kind(mutation), names.signal(mutation)) else {
            return Vec::new();
        };
        let expression = names.expression(mutation).unwrap_or_default();
        let kind = mutation.mode.kind();
        let site = |bits| Self {
            mode: mutation.mode,
            cell: cell.to_string(),
            port: mutation.port.clone(),
            names: without_numbers(&format!("{expression} {signal}")),
            is_of_row: kind == MutationKind::Ram && mutation.control.is_some(),
            bits,
        };
        let mut sites = vec![site(Bits::All)];
        let is_of_bit =
            matches!(kind, MutationKind::Yosys | MutationKind::Comparator | MutationKind::Reset);
        if let Some(highest) = names.port_width(mutation).and_then(|width| width.checked_sub(1))
            && is_of_bit
            && mutation.bit <= highest
        {
            sites.push(site(Bits::FromLowest(mutation.bit)));
            sites.push(site(Bits::FromHighest(highest - mutation.bit)));
        }
        sites
    }
}

/// A name without its numbers and bit ranges.
fn without_numbers(name: &str) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for letter in name.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ if depth > 0 => {}
            '0'..='9' if text.ends_with('#') => {}
            '0'..='9' => text.push('#'),
            _ => text.push(letter),
        }
    }
    text
}

/// A mutant that nothing has decided, with its sites.
pub type Open<'a> = (Vec<Site>, &'a mut Judged);

/// How a design is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// As its properties assume.
    Legal,
    /// In any way.
    Any,
}

/// Argues with small parameters that mutants of a design are equivalent, and gives those of which it is so.
///
/// # Errors
/// Returns [`FlowError`] if a tool is missing or fails.
pub fn argue<'a>(
    provers: &Provers,
    folder: &Folder,
    design: &dyn Design,
    used: Use,
    mut open: Vec<Open<'a>>,
    limit: Duration,
) -> Result<Vec<&'a mut Judged>, FlowError> {
    let mut argued = Vec::new();
    for (name, small) in designs(design) {
        let sites: BTreeSet<_> = open.iter().flat_map(|(sites, _)| sites.clone()).collect();
        if sites.is_empty() {
            break;
        }
        let at = Folder::kept(&folder.file(name))?;
        let proven = proven(provers, &at, &*small, used, &sites, limit)?;
        let params = small.params().to_string().trim().replace('\n', ", ");
        let mut still = Vec::new();
        for (sites, judged) in open {
            let Some(count) = sites.iter().find_map(|site| proven.get(site)) else {
                still.push((sites, judged));
                continue;
            };
            let how =
                format!("with {params}, all {count} mutants at such sites are proven equivalent");
            judged.verdict = MutantVerdict::Argued { how };
            argued.push(judged);
        }
        open = still;
    }
    Ok(argued)
}

/// The small parameters for a design, each with a name.
fn designs(design: &dyn Design) -> Vec<(&'static str, Box<dyn Design>)> {
    let tiny = warpsmith_blocks::find(design.name()).and_then(|it| it.configure(PRESET, &[]).ok());
    let tiny = tiny.map(|tiny| (PRESET, tiny));
    tiny.into_iter().chain(design.fewest_rows().map(|few| ("few-rows", few))).collect()
}

/// Sites at which every mutant of a design with small parameters is proven equivalent, with the number of
/// those mutants.
fn proven(
    provers: &Provers,
    folder: &Folder,
    design: &dyn Design,
    used: Use,
    sites: &BTreeSet<Site>,
    limit: Duration,
) -> Result<BTreeMap<Site, usize>, FlowError> {
    let circuit = design.circuit();
    let source = Verilog::plain(verilog_source(&circuit)?);
    let bench = Bench::new(design, &circuit);
    let assumed = assumptions(design).filter(|_| used == Use::Legal);
    prepare(
        &provers.yosys,
        folder,
        &source,
        &Selection { kinds: vec![], count: None, seed: 0, only: None },
    )?;
    let module = flattened(folder, &source.top)?;
    let names = Names::new(&module, &source.files);
    let (mut proven, nothing) = (BTreeMap::new(), Hashing::default());
    for (number, site) in sites.iter().enumerate() {
        if proven.contains_key(&Site { bits: Bits::All, ..site.clone() }) {
            continue;
        }
        let mutations = mutations(&module, &names, site);
        if mutations.is_empty() || mutations.len() > MOST {
            continue;
        }
        let mutants: Vec<Mutant> =
            (1..).zip(mutations).map(|(number, m)| mutant(&names, number, m, &nothing)).collect();
        let (name, memories) = (format!("site-{number}"), Memories::Registers);
        let planted = plant(&provers.yosys, folder, &source.top, &mutants, &name, memories)?;
        // The first mutant that is not equivalent ends the search.
        let prove = |mutant: &Mutant| {
            let name = format!("site-{number}-{}", mutant.number);
            let mutant = PlantedMutant {
                planted: &planted,
                choice: mutant.number,
                bench: &bench,
                assumed: assumed.as_ref(),
                folder,
                name: &name,
            };
            match equivalence(provers, &mutant, limit) {
                Ok(Proof::Equivalent) => Ok(()),
                Ok(_) => Err(None),
                Err(error) => Err(Some(error)),
            }
        };
        match parallel::each(&mutants, prove).into_iter().find_map(Result::err) {
            None => drop(proven.insert(site.clone(), mutants.len())),
            Some(None) => {}
            Some(Some(error)) => return Err(error),
        }
    }
    Ok(proven)
}

/// All mutations at that site.
fn mutations(module: &Module, names: &Names<'_>, site: &Site) -> Vec<Mutation> {
    let kind = site.mode.kind();
    let candidates = match kind {
        MutationKind::Yosys => of_yosys(module, site),
        MutationKind::Ram => of_ram(module, site),
        _ => own::candidates(names, kind, &mut Xoshiro256PlusPlus::seed_from_u64(0)),
    };
    let is_at_site = |mutation: &Mutation| Site::all_of(names, mutation).contains(site);
    candidates.into_iter().filter(is_at_site).collect()
}

fn of_yosys(module: &Module, site: &Site) -> Vec<Mutation> {
    let depends = matches!(site.mode, Mode::Cnot0 | Mode::Cnot1);
    let mut all = Vec::new();
    for (name, cell) in module.cells.iter().filter(|(_, cell)| cell.kind == site.cell) {
        let width = cell.connections.get(&site.port).map_or(0, Vec::len) as u32;
        for bit in 0..width {
            let mutation = |control| Mutation {
                mode: site.mode,
                cell: name.clone(),
                port: site.port.clone(),
                bit,
                control,
            };
            match depends {
                true => all.extend((0..width).filter(|c| *c != bit).map(|c| mutation(Some(c)))),
                false => all.push(mutation(None)),
            }
        }
    }
    all
}

fn of_ram(module: &Module, site: &Site) -> Vec<Mutation> {
    let mut all = Vec::new();
    for (name, cell) in &module.cells {
        let Some(ram) = Ram::of(cell) else { continue };
        let rows: Vec<_> = match site.is_of_row {
            true => (0..ram.rows).map(|row| Some(row + ram.first_row)).collect(),
            false => vec![None],
        };
        for (bit, control) in (0..ram.width).flat_map(|bit| rows.iter().map(move |row| (bit, *row)))
        {
            let (cell, port) = (name.clone(), site.port.clone());
            all.push(Mutation { mode: site.mode, cell, port, bit, control });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_has_one_name_with_all_parameters() {
        let small = without_numbers("place0_granule == item_address[3:1] same_region[0]");
        assert_eq!(without_numbers("place15_granule == item_address[47:5] same_region[15]"), small);
        assert_eq!(small, "place#_granule == item_address same_region");
        assert_ne!(without_numbers("place_granule == item_address same_region"), small);
    }
}
