//! The verdict on each mutant: co-simulation first, then proofs.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use warpsmith_blocks::free_choice::FreeChoice;
use warpsmith_rtl::Module;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::Variants;
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{Plan, first_mismatch};

use super::MutationOptions;
use super::equivalence::{PlantedMutant, Proof, Provers, equivalence};
use super::free;
use super::miter::assumptions;
use super::planting::{CHOOSER, Mutant, Planted, flattened};
use super::proof_netlist::Registers;
use super::properties::{BEYOND, CLOCKS, Searched, violated};
use super::reach::{Changes, Reach};
use super::record::{Judged, MutantVerdict};
use super::replay::replay;
use crate::flow::FlowError;
use crate::flow::folder::Folder;
use crate::flow::synth::Subject;

/// Judges mutants of one netlist.
pub struct Judge<'a> {
    provers: &'a Provers,
    folder: &'a Folder,
    planted: &'a Planted,
    subject: &'a Subject<'a>,
    bench: &'a Bench<'a>,
    /// What is assumed of the environment.
    assumed: Option<Module>,
    variants: Variants,
    plan: Plan,
    options: &'a MutationOptions,
    /// Whether the circuit itself was checked to break no property.
    is_sound: Mutex<bool>,
    /// Numbers of mutants that are not to be proven.
    unproven: HashSet<u32>,
    /// Why no proof is tried, if so: mutants that co-simulation does not find stay open.
    unprovable: Option<String>,
    /// Registers whose value no rule fixes.
    choices: Vec<FreeChoice>,
    /// The mutants that change nothing but these choices.
    of_choices: HashMap<u32, Changes>,
    /// The mutants with these released, once a proof needs them.
    released: Mutex<Option<Arc<Planted>>>,
    /// The mutants with the circuit's registers, once a proof needs them.
    shared: Mutex<Option<Arc<Planted>>>,
}

/// Why a mutant that is proven to do the same as the circuit in every state is no fault.
const SAME: &str = "in every state that the circuit reaches after a reset it is proven to answer as the circuit and to \
     take the same next state; what it makes of the noise before the first reset, co-simulation did not distinguish";
/// Divisor of the requests for a mutant that an argument says is no fault.
const ARGUED: u64 = 10;
/// Divisor of the time for a proof of a mutant that is known to be no fault.
const BRIEF: u32 = 10;

/// Receives each verdict.
pub type Take<'a> = &'a (dyn Fn(Judged) -> Result<(), FlowError> + Sync);

impl<'a> Judge<'a> {
    /// Builds the model and checks that the circuit itself passes.
    ///
    /// # Errors
    /// Returns [`FlowError`] if a tool is missing or fails.
    pub fn new(
        provers: &'a Provers,
        folder: &'a Folder,
        planted: &'a Planted,
        subject: &'a Subject<'a>,
        bench: &'a Bench<'a>,
        options: &'a MutationOptions,
    ) -> Result<Self, FlowError> {
        let layout = bench.layout();
        let variants = Variants::of_verilog(&planted.verilog, layout, CHOOSER, planted.width)?;
        let seed = u64::from(options.selection.seed);
        let plan = Plan {
            requests: options.requests,
            seed,
            stream: 0,
            stalls: Stalls::Random,
            episodes: None,
        };
        let judge = Self {
            provers,
            folder,
            planted,
            subject,
            bench,
            assumed: assumptions(subject.design),
            variants,
            plan,
            options,
            is_sound: Mutex::new(false),
            unproven: HashSet::new(),
            unprovable: None,
            choices: Vec::new(),
            of_choices: HashMap::new(),
            released: Mutex::new(None),
            shared: Mutex::new(None),
        };
        if let Some(mismatch) = first_mismatch(bench, &judge.variants.models(0), &plan)? {
            return Err(FlowError::Input(format!(
                "{} differs from its reference without any mutation: {}; see `warpsmith cosim`",
                planted.top, mismatch.divergence
            )));
        }
        let proof = judge.equivalence(0, "itself")?;
        match (proof, &planted.for_proofs) {
            (proof @ Proof::Different(_), Some(netlist)) => Err(FlowError::Report {
                path: folder.file(&netlist.file),
                what: format!("not equivalent to itself: {proof:?}"),
            }),
            // What cannot be compared with itself, such as a netlist that is too large, cannot be with a mutant.
            (Proof::Open(why), _) => Ok(Self { unprovable: Some(why), ..judge }),
            _ => Ok(judge),
        }
    }

    /// Leaves the mutants of these numbers open if co-simulation does not find them.
    pub fn without_proofs_of(self, numbers: &HashSet<u32>) -> Self {
        Self { unproven: numbers.clone(), ..self }
    }

    /// Lets the design's free choices excuse these planted mutants; they are those of our own circuit.
    ///
    /// # Errors
    /// Returns [`FlowError`] if the netlist cannot be read.
    pub fn with_choices(self, mutants: &[Mutant]) -> Result<Self, FlowError> {
        let choices = self.subject.design.free_choices();
        if choices.is_empty() || self.options.source.is_some() {
            return Ok(self);
        }
        let module = flattened(self.folder, &self.planted.top)?;
        let cells = free::cells(&module, &choices);
        let reach = Reach::new(&module, &cells);
        let numbered = (1..).zip(mutants);
        let of_choices = numbered
            .filter_map(|(number, mutant)| Some((number, reach.of(&mutant.mutation)?)))
            .collect();
        Ok(Self { choices, of_choices, ..self })
    }

    /// Assumes nothing of the environment: a part may be used otherwise than the block alone.
    pub fn for_any_use(self) -> Self {
        Self { assumed: None, ..self }
    }

    /// Judges planted mutants in order and passes each verdict to `take`.
    ///
    /// # Errors
    /// Returns [`FlowError`] if a tool is missing or fails.
    pub fn all(&self, mutants: &[Mutant], take: Take<'_>) -> Result<(), FlowError> {
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let worker = || {
            while !stop.load(Ordering::Relaxed) {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(mutant) = mutants.get(index) else { break };
                let judged = self.one(mutant, index as u32 + 1).and_then(take);
                judged.inspect_err(|_| stop.store(true, Ordering::Relaxed))?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.options.jobs).map(|_| scope.spawn(worker)).collect();
            let ends = workers.into_iter().map(|worker| worker.join().expect("no worker panics"));
            ends.collect()
        })
    }

    fn one(&self, mutant: &Mutant, choice: u32) -> Result<Judged, FlowError> {
        let started = Instant::now();
        let models = self.variants.models(u64::from(choice));
        // For a mutant with an argument, co-simulation only checks the argument.
        let brief = Plan { requests: self.plan.requests.div_ceil(ARGUED), ..self.plan };
        let plan = if mutant.argument.is_some() { brief } else { self.plan };
        let mut excuse = None;
        if let Some(changes) = self.of_choices.get(&choice)
            && first_mismatch(self.bench, &models, &brief)?.is_none()
        {
            excuse = self.changes_choices(mutant, choice, *changes)?;
        }
        let mismatch = match excuse {
            Some(_) => None,
            None => first_mismatch(self.bench, &models, &plan)?,
        };
        let simulation = started.elapsed();
        let verdict = match (mismatch, excuse) {
            (Some(mismatch), _) => MutantVerdict::Killed {
                how: mismatch.divergence.to_string(),
                requests: mismatch.accepted,
            },
            (None, Some(excuse)) => excuse,
            (None, None) => self.prove(mutant, choice)?,
        };
        Ok(Judged {
            mutant: mutant.clone(),
            verdict,
            simulation_seconds: simulation.as_secs_f64(),
            proof_seconds: (started.elapsed() - simulation).as_secs_f64(),
        })
    }

    /// The proofs' verdict on a mutant that co-simulation does not find.
    fn prove(&self, mutant: &Mutant, choice: u32) -> Result<MutantVerdict, FlowError> {
        if let Some(argument) = &mutant.argument {
            return Ok(MutantVerdict::Argued { how: argument.clone() });
        }
        if self.unproven.contains(&mutant.number) {
            let open = Some("it is in a part that is tested alone".to_string());
            return Ok(MutantVerdict::Survived { difference: None, open });
        }
        let name = format!("mutant-{}", mutant.number);
        let (difference, open, clocks) = match self.equivalence(choice, &name)? {
            Proof::Equivalent => return Ok(MutantVerdict::Equivalent),
            Proof::Different(trace) => {
                let difference = replay(self.bench, &self.variants, choice, &trace)?;
                (Some(difference), None, trace.clocks.len() as u32 + BEYOND)
            }
            Proof::Open(_) if self.is_same_in_every_state(choice, &name)? => {
                return Ok(MutantVerdict::Argued { how: SAME.to_string() });
            }
            Proof::Open(why) => (None, Some(why), CLOCKS),
        };
        Ok(match self.broken_property(choice, &name, clocks)? {
            Searched::Broken(how) => MutantVerdict::KilledByProof { how },
            Searched::Nothing => MutantVerdict::Survived { difference, open },
            Searched::Refused(why) => {
                let open = difference.is_none().then(|| format!("undecided: {why}"));
                MutantVerdict::Survived { difference, open }
            }
        })
    }

    /// Whether a mutant, in every state that the circuit reaches, answers and takes as its next state what the circuit
    /// does. That is often easier to prove: there is only one state.
    ///
    /// # Errors
    /// Returns [`FlowError`] if a tool is missing or fails.
    pub fn is_same_in_every_state(&self, choice: u32, name: &str) -> Result<bool, FlowError> {
        let mut made = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let shared = match &*made {
            Some(shared) => Arc::clone(shared),
            None => {
                let shared =
                    self.planted.with(Registers::Shared, &self.provers.yosys, self.folder)?;
                Arc::clone(made.insert(Arc::new(shared)))
            }
        };
        drop(made);
        let name = format!("{name}-shared");
        let mutant = PlantedMutant { planted: &shared, ..self.mutant(choice, &name) };
        let proof = equivalence(self.provers, &mutant, self.options.proof_limit)?;
        Ok(matches!(proof, Proof::Equivalent))
    }

    /// The verdict on a mutant that is shown to change only choices that no rule fixes, if it is.
    ///
    /// # Errors
    /// Returns [`FlowError`] if a tool is missing or fails, or the circuit breaks a rule with other choices.
    pub fn changes_choices(
        &self,
        mutant: &Mutant,
        choice: u32,
        changes: Changes,
    ) -> Result<Option<MutantVerdict>, FlowError> {
        if self.unprovable.is_some() {
            return Ok(None);
        }
        let released = self.released()?;
        let name = format!("mutant-{}-released", mutant.number);
        let released = PlantedMutant { planted: &released, ..self.mutant(choice, &name) };
        let is_shown = match changes {
            Changes::Read => true,
            Changes::Taken => {
                let proof = equivalence(self.provers, &released, self.options.proof_limit)?;
                matches!(proof, Proof::Equivalent)
            }
        };
        if !is_shown {
            return Ok(None);
        }
        // It may change nothing at all; with memories cut out, to find out takes too long.
        if self.is_whole() {
            let limit = (self.options.proof_limit / BRIEF).max(Duration::from_secs(1));
            let whole = self.mutant(choice, &name);
            if let Proof::Equivalent = equivalence(self.provers, &whole, limit)? {
                return Ok(Some(MutantVerdict::Equivalent));
            }
        }
        let because: BTreeSet<_> = self.choices.iter().map(|choice| choice.because).collect();
        let because = because.into_iter().collect::<Vec<_>>().join(", and ");
        let requests = self.plan.requests;
        let shown = match changes {
            Changes::Read => "reads otherwise",
            Changes::Taken => "is proven to change",
        };
        let how = format!(
            "it {shown} only what no rule fixes ({because}); with choices at random the circuit passes \
             {requests} requests"
        );
        Ok(Some(MutantVerdict::Argued { how }))
    }

    /// The mutants with free choices released, once the circuit is known to keep every rule whatever is chosen.
    fn released(&self) -> Result<Arc<Planted>, FlowError> {
        let mut released = self.released.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(released) = &*released {
            return Ok(Arc::clone(released));
        }
        let Self { folder, planted: Planted { top, .. }, bench, .. } = *self;
        let yosys = &self.provers.yosys;
        let layout = bench.layout();
        let source = free::disturbed(yosys, folder, top, layout, &self.choices)?;
        let variants = Variants::of_verilog(&source, layout, CHOOSER, 1)?;
        if let Some(mismatch) = first_mismatch(bench, &variants.models(1), &self.plan)? {
            return Err(FlowError::Input(format!(
                "{top} breaks a rule if its free choices are taken at random: {}",
                mismatch.divergence
            )));
        }
        let cells = free::cells(&flattened(folder, top)?, &self.choices);
        let made = Arc::new(self.planted.with(Registers::Released(&cells), yosys, folder)?);
        *released = Some(Arc::clone(&made));
        Ok(made)
    }

    fn equivalence(&self, choice: u32, name: &str) -> Result<Proof, FlowError> {
        if let Some(why) = &self.unprovable {
            return Ok(Proof::Open(why.clone()));
        }
        equivalence(self.provers, &self.mutant(choice, name), self.options.proof_limit)
    }

    fn mutant<'m>(&'m self, choice: u32, name: &'m str) -> PlantedMutant<'m> {
        let Self { folder, planted, bench, .. } = *self;
        let assumed = self.assumed.as_ref();
        PlantedMutant { planted, choice, bench, assumed, folder, name }
    }

    /// A property that the mutant breaks and the circuit does not.
    fn broken_property(&self, choice: u32, name: &str, clocks: u32) -> Result<Searched, FlowError> {
        let searched = self.search(choice, name, clocks)?;
        if !matches!(searched, Searched::Broken(_)) {
            return Ok(searched);
        }
        let mut is_sound = self.is_sound.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_sound && let Searched::Broken(broken) = self.search(0, "itself", clocks)? {
            let top = &self.planted.top;
            return Err(FlowError::Input(format!(
                "{top} breaks a property without any mutation: {broken}; see `warpsmith prove`"
            )));
        }
        *is_sound = true;
        Ok(searched)
    }

    /// Whether no memories were cut out of the proofs.
    fn is_whole(&self) -> bool {
        self.planted.for_proofs.as_ref().is_some_and(|netlist| netlist.rams.is_empty())
    }

    fn search(&self, choice: u32, name: &str, clocks: u32) -> Result<Searched, FlowError> {
        // A property search does not reach beyond the clearing of large memories.
        if self.provers.properties.is_err() || !self.is_whole() {
            return Ok(Searched::Nothing);
        }
        let mutant = self.mutant(choice, name);
        let limit = self.options.proof_limit;
        violated(&self.provers.yosys, &mutant, self.subject, clocks, limit)
    }
}
