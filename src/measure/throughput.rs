//! Clocks per request in an environment that never stalls.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use warpsmith_blocks::block::Design;
use warpsmith_testbench::agents::Stalls;
use warpsmith_testbench::backend::{Backend, BackendError, Models};
use warpsmith_testbench::bench::Bench;
use warpsmith_testbench::cosim::{CosimError, Plan, Verdict, cosim};

/// Enough requests that filling and draining the circuit do not matter.
pub const REQUESTS: u64 = 20_000;

/// Fixed seed, so that the same circuit gives the same figure.
pub const SEED: u64 = 1;

/// Traffic without stalls, with seed [`SEED`], in the native simulator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Name of the stream of requests.
    pub stream: String,
    /// Number of requests.
    pub requests: u64,
}

/// The result of a throughput measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Throughput {
    /// Name of the stream of requests.
    pub stream: String,
    /// Number of requests.
    pub requests: u64,
    /// Clocks from the first accepted request to the last, divided by requests.
    pub clocks_per_request: f64,
}

/// Why there is no figure.
#[derive(Debug, Error)]
pub enum ThroughputError {
    /// The stream does not exist.
    #[error("{block} has no stream `{stream}`; it has: {}", .known.join(", "))]
    UnknownStream {
        /// Name of the block.
        block: &'static str,
        /// The name given.
        stream: String,
        /// The existing streams.
        known: Vec<&'static str>,
    },
    /// The circuit cannot be simulated.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The run failed.
    #[error(transparent)]
    Cosim(#[from] CosimError),
    /// The circuit differs from its reference, so its throughput means nothing.
    #[error("the circuit differs from its reference: {divergence}")]
    Mismatch {
        /// The first divergent transfer.
        divergence: String,
    },
}

/// Index of the named stream, or of the first one without a name.
///
/// # Errors
/// [`ThroughputError::UnknownStream`] if there is no such stream.
pub fn stream_index(design: &dyn Design, name: Option<&str>) -> Result<usize, ThroughputError> {
    let streams = design.streams();
    let Some(wanted) = name else { return Ok(0) };
    streams.iter().position(|stream| stream.name == wanted).ok_or_else(|| {
        let known = streams.iter().map(|stream| stream.name).collect();
        ThroughputError::UnknownStream { block: design.name(), stream: wanted.to_string(), known }
    })
}

/// Runs the traffic.
///
/// # Errors
/// Returns [`ThroughputError`] if the run fails or finds a mismatch.
pub fn measure(design: &dyn Design, traffic: &Traffic) -> Result<Throughput, ThroughputError> {
    let plan = Plan {
        requests: traffic.requests,
        seed: SEED,
        stream: stream_index(design, Some(&traffic.stream))?,
        stalls: Stalls::None,
        episodes: None,
    };
    let circuit = design.circuit();
    let bench = Bench::new(design, &circuit);
    let models = Models::of_circuit(&circuit, Backend::Native, false)?;
    match cosim(&bench, &models, &plan, None, &mut |_| {})? {
        (summary, Verdict::Equal) => Ok(Throughput {
            stream: traffic.stream.clone(),
            requests: traffic.requests,
            clocks_per_request: summary.clocks_per_request,
        }),
        (_, Verdict::Diverged(divergent)) => {
            Err(ThroughputError::Mismatch { divergence: divergent.mismatch.divergence.to_string() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiny() -> Box<dyn Design> {
        warpsmith_blocks::find("hmg_directory").unwrap().configure("tiny", &[]).unwrap()
    }

    #[test]
    fn the_directory_takes_a_request_every_clock() {
        let traffic = Traffic { stream: "mixed".to_string(), requests: 5000 };
        assert_eq!(measure(&*tiny(), &traffic).unwrap().clocks_per_request, 1.0);
    }

    #[test]
    fn an_unknown_stream_is_refused_with_the_known_ones() {
        let message = stream_index(&*tiny(), Some("odd")).unwrap_err().to_string();
        assert!(
            message.starts_with("hmg_directory has no stream `odd`; it has: mixed"),
            "{message}"
        );
    }
}
