//! Options for what a sweep measures.

use clap::{Args, ValueEnum};
use warpsmith_blocks::block::Block;

use super::UserError;
use super::target::TargetArgs;
use crate::measure::Asked;
use crate::measure::throughput::{REQUESTS, SEED, Traffic};

/// What to measure, and how.
#[derive(Debug, Args)]
// Without tools no target is needed.
#[command(mut_arg("target", |target| target.required(false)))]
pub(super) struct MeasuredArgs {
    /// Metrics to measure
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST", default_values_t = [MetricGroup::Synth, MetricGroup::Cosim])]
    metrics: Vec<MetricGroup>,
    #[command(flatten)]
    target: Option<TargetArgs>,
    /// Stream of requests for measuring clocks per request. Default: the block's first
    #[arg(long, value_name = "NAME")]
    stream: Option<String>,
    /// Requests for measuring clocks per request
    #[arg(long, value_name = "N", default_value_t = REQUESTS, value_parser = clap::value_parser!(u64).range(1..))]
    requests: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MetricGroup {
    /// Area and timing, as by `warpsmith synth`
    Synth,
    /// Clocks per request in the native simulator, without stalls, beside the reference
    Cosim,
}

/// What to measure, for the library and as arguments of the equivalent commands.
pub(super) struct Measured {
    /// For the library.
    pub asked: Asked,
    /// Target and options, for `synth`.
    pub target: Vec<String>,
    /// Traffic, for `cosim`.
    pub cosim: Vec<String>,
    /// All of it, for `sweep`.
    pub sweep: Vec<String>,
}

impl MeasuredArgs {
    /// What to measure of this block.
    pub fn resolve(&self, block: &Block) -> Result<Measured, UserError> {
        let target = match (self.metrics.contains(&MetricGroup::Synth), &self.target) {
            (false, _) => None,
            (true, Some(target)) => Some(target),
            (true, None) => {
                return Err(UserError::new(
                    "--target is missing: ecp5, ice40, xc7 or asic; or --metrics cosim, which needs \
                     none",
                ));
            }
        };
        let stream = self.stream(block)?;
        let traffic = Traffic { stream, requests: self.requests };
        let arguments = target.map(TargetArgs::as_arguments).transpose()?.unwrap_or_default();
        let stream = ["--stream".to_string(), traffic.stream.clone()];
        let requests = ["--requests".to_string(), traffic.requests.to_string()];
        let seed = SEED.to_string();
        let run = ["--stalls", "none", "--seed", &seed].map(str::to_string);
        let kinds = self.metrics.iter().filter_map(ValueEnum::to_possible_value);
        let kinds: Vec<_> = kinds.map(|kind| kind.get_name().to_string()).collect();
        let metrics = ["--metrics".to_string(), kinds.join(",")];
        Ok(Measured {
            asked: Asked {
                synth: match target {
                    // Each point gets a folder of its own.
                    Some(target) => Some((target.target()?, target.options("".into()))),
                    None => None,
                },
                traffic: self.metrics.contains(&MetricGroup::Cosim).then_some(traffic),
            },
            target: arguments.clone(),
            cosim: [&stream[..], &requests, &run].concat(),
            sweep: [&metrics[..], &arguments, &stream, &requests].concat(),
        })
    }

    fn stream(&self, block: &Block) -> Result<String, UserError> {
        let streams = block.streams;
        let known = || streams.iter().map(|stream| stream.name).collect::<Vec<_>>().join(", ");
        match &self.stream {
            None => Ok(streams[0].name.to_string()),
            Some(wanted) if streams.iter().any(|stream| stream.name == wanted) => {
                Ok(wanted.clone())
            }
            Some(wanted) => Err(UserError::new(format!(
                "{} has no stream `{wanted}`; it has: {}",
                block.name,
                known()
            ))),
        }
    }
}
