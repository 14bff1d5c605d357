//! Errors that are planted in the cores or in a memory system, to see whether tests find them.

/// An error, by its name. Cores and systems list those that they know: see
/// [`crate::gpu::machine::planted`] and [`crate::gpu::systems::System::errors`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlantedError {
    /// Its name in reports.
    pub name: &'static str,
    /// It happens at one chance in so many.
    pub one_in: u32,
}

impl PlantedError {
    /// An error that happens at every chance.
    pub const fn named(name: &'static str) -> Self {
        Self { name, one_in: 1 }
    }

    /// The same at one chance in so many, which are at least 1.
    pub const fn one_in(self, one_in: u32) -> Self {
        Self { one_in, ..self }
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
