//! Waves of a part of a run: outside of it the model runs at full speed.

use std::ops::Range;
use std::path::{Path, PathBuf};

use warpsmith_rtl::Bits;

use crate::model::{Model, ModelError};

/// A wave file and what it shows.
#[derive(Clone, Debug)]
pub struct WavesTo {
    /// The file.
    pub path: PathBuf,
    /// Clocks since the start of the run, those of resets included; none: the whole run.
    pub window: Option<Range<u64>>,
}

/// A model that writes waves of some of its clocks.
pub struct Windowed {
    model: Box<dyn Model>,
    path: PathBuf,
    window: Range<u64>,
    clock: u64,
    failure: Option<ModelError>,
}

impl Windowed {
    /// Writes waves of these clocks of a model that has made none yet.
    pub fn new(model: Box<dyn Model>, path: &Path, window: Range<u64>) -> Self {
        Self { model, path: path.to_owned(), window, clock: 0, failure: None }
    }
}

impl Model for Windowed {
    fn clock(&mut self, inputs: &[u64], outputs: &mut [u64]) -> bool {
        if self.clock == self.window.start {
            self.failure = self.model.open_waves(&self.path).err();
        } else if self.clock == self.window.end && self.failure.is_none() {
            self.failure = self.model.close_waves().err();
        }
        self.clock += 1;
        self.model.clock(inputs, outputs)
    }

    fn power_up(&mut self, seed: u64) {
        self.model.power_up(seed);
    }

    fn expect_reset(&mut self, clocks: u64) {
        self.model.expect_reset(clocks);
    }

    fn complaint(&mut self) -> Option<String> {
        self.model.complaint()
    }

    fn is_over(&self) -> bool {
        self.model.is_over()
    }

    fn mute(&mut self) {
        self.model.mute();
    }

    fn registers(&self) -> Vec<(String, Bits)> {
        self.model.registers()
    }

    /// The waves are those of the window.
    fn open_waves(&mut self, _: &Path) -> Result<(), ModelError> {
        Ok(())
    }

    fn close_waves(&mut self) -> Result<(), ModelError> {
        let (from, clocks) = (self.window.start, self.clock);
        if clocks <= from {
            return Err(ModelError::Window { from, clocks });
        }
        self.failure.take().map_or_else(|| self.model.close_waves(), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::{Backend, Models};
    use warpsmith_rtl::ModuleBuilder;

    /// The waves of a window, and the outputs of each clock.
    fn counted(window: Range<u64>) -> (String, Vec<u64>) {
        let m = ModuleBuilder::new("counter");
        let count = m.reg("count", 16, 0);
        count.set(*count + 1);
        m.output("value", *count);
        let models = Models::of_circuit(&m.finish(), Backend::Native, false).expect("a model");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("window.vcd");
        let mut model = Windowed::new(models.instance().expect("a model"), &path, window);
        let mut outputs = Vec::new();
        for clock in 0..10_000u64 {
            let mut output = [0];
            model.clock(&[u64::from(clock == 0)], &mut output);
            outputs.push(output[0]);
        }
        model.close_waves().expect("the waves are whole");
        (std::fs::read_to_string(path).expect("a file"), outputs)
    }

    #[test]
    fn a_window_after_the_run_is_an_error() {
        let models = Models::of_circuit(&ModuleBuilder::new("m").finish(), Backend::Native, false);
        let model = models.expect("models").instance().expect("a model");
        let error =
            Windowed::new(model, Path::new("w.vcd"), 5..9).close_waves().expect_err("no clock");
        assert!(
            error.to_string().contains("from clock 5 on: the run ended after 0 clocks"),
            "{error}"
        );
    }

    #[test]
    fn waves_show_the_clocks_of_the_window_at_their_times() {
        let (text, outputs) = counted(9000..9002);
        assert_eq!(outputs[9000], 8999, "the clocks around the window are counted");
        let times: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
        assert_eq!(times, ["#90000", "#90005", "#90010", "#90015", "#90020"]);
        let values = text.lines().filter(|line| line.starts_with("b"));
        let values: Vec<&str> = values.filter_map(|line| line.split([' ', 'b']).nth(1)).collect();
        assert_eq!(values, ["0010001100100111", "0010001100101000"]);
    }
}
