//! Errors that are planted in the cores or in a memory system, to see whether tests find them.

/// An error, by its name. Cores and systems list those that they know: see
/// `machine::planted` and [`super::System::errors`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlantedError {
    /// Its name in reports.
    pub name: &'static str,
    /// It happens at one chance in so many.
    pub one_in: u32,
    /// Only accesses of CPUs show it.
    pub of_cpus: bool,
    /// A store that a cache has, and memory has not, may be lost.
    pub loses_stores: bool,
    /// The random tester finds it, if it happens at one chance in so many; none where it need not.
    pub for_tester: Option<u32>,
}

/// An acquire does not invalidate the L1.
pub const KEEP_L1: PlantedError = PlantedError::named("keep-l1");
/// Messages from one end to another may overtake each other.
pub const OVERTAKE: PlantedError = PlantedError::named("overtake");
/// The result of an atomic is stored a second time, later.
pub const ATOMICS_STORE_TWICE: PlantedError = PlantedError::named("atomics-store-twice");
/// The directory does not send the probe of a CPU's access to the GPU's caches.
pub const SKIP_PROBE: PlantedError = PlantedError::named("skip-probe").one_in(3).of_cpus();
/// A CPU's store is done before its probe is acknowledged.
pub const DONE_BEFORE_PROBE: PlantedError = PlantedError::named("done-before-probe").of_cpus();

/// Those of several rooms of systems.
pub const ERRORS: [PlantedError; 5] =
    [KEEP_L1, OVERTAKE, ATOMICS_STORE_TWICE, SKIP_PROBE, DONE_BEFORE_PROBE];

impl PlantedError {
    /// An error that happens at every chance.
    pub const fn named(name: &'static str) -> Self {
        Self { name, one_in: 1, of_cpus: false, loses_stores: false, for_tester: None }
    }

    /// The same at one chance in so many, which are at least 1.
    pub const fn one_in(self, one_in: u32) -> Self {
        Self { one_in, ..self }
    }

    /// The same, by which stores may be lost.
    pub const fn loses_stores(self) -> Self {
        Self { loses_stores: true, ..self }
    }

    /// The same, which the random tester finds at one chance in so many.
    pub const fn for_tester(self, one_in: u32) -> Self {
        Self { for_tester: Some(one_in), ..self }
    }

    /// The same, of the CPU side.
    pub const fn of_cpus(self) -> Self {
        Self { of_cpus: true, ..self }
    }
}

/// The error that is planted in a memory system or a part of it, if any.
#[derive(Debug, Clone, Copy, Default)]
pub struct Planting {
    error: Option<PlantedError>,
    chances: u32,
}

impl Planting {
    /// Plants an error.
    pub fn plant(&mut self, error: PlantedError) {
        self.error = Some(error);
    }

    /// Whether it is this error.
    pub fn is(&self, error: PlantedError) -> bool {
        self.error.is_some_and(|planted| planted.name == error.name)
    }

    /// Whether it is this error, and happens this time.
    pub fn errs(&mut self, error: PlantedError) -> bool {
        let Some(planted) = self.error.filter(|it| it.name == error.name) else { return false };
        self.chances += 1;
        self.chances.is_multiple_of(planted.one_in.max(1))
    }
}
