//! The ways of messages.

use super::message::Port;
use super::statistics::{Link, Traffic, Way};
use super::{Event, Hierarchy, LINE, PlantedError};
use crate::gpu::config::{Config, LinkConfig};
use crate::gpu::interconnect::Lane;

/// Bytes that may wait for a core's port before the core stops sending.
const PORT_QUEUE: u32 = 8 * LINE as u32;

/// A core's two ports to the crossbar, and the last arrivals, which order later ones.
#[derive(Debug)]
struct CorePorts {
    up: Lane,
    down: Lane,
    last_up: u64,
    last_down: u64,
}

/// Ports of a GPM or a GPU.
#[derive(Debug)]
struct Ports {
    out: Lane,
    into: Lane,
}

impl Ports {
    fn new(config: &LinkConfig) -> Self {
        Self {
            out: Lane::new(config),
            into: Lane::new(&LinkConfig { latency: 0, ..config.clone() }),
        }
    }
}

/// All links.
#[derive(Debug)]
pub(super) struct Links {
    cores: Vec<CorePorts>,
    gpms: Vec<Ports>,
    gpus: Vec<Ports>,
    /// Last arrival from GPM to GPM: answers, then requests.
    last: [Vec<u64>; 2],
}

impl Links {
    pub(super) fn new(config: &Config) -> Self {
        let machine = &config.machine;
        let crossbar = || Lane::new(&config.crossbar);
        let pairs = machine.gpms() as usize * machine.gpms() as usize;
        let core = |_| CorePorts { up: crossbar(), down: crossbar(), last_up: 0, last_down: 0 };
        Self {
            cores: (0..machine.cores()).map(core).collect(),
            gpms: (0..machine.gpms()).map(|_| Ports::new(&config.gpm_link)).collect(),
            gpus: (0..machine.gpus).map(|_| Ports::new(&config.gpu_link)).collect(),
            last: [vec![0; pairs], vec![0; pairs]],
        }
    }

    /// When a core may send more.
    pub(super) fn core_ready(&self, core: u32) -> u64 {
        self.cores[core as usize].up.ready_for(PORT_QUEUE)
    }

    /// What each link between GPMs, and then each between GPUs, has carried; a machine with one GPM,
    /// or one GPU, has none of the kind.
    pub(super) fn traffic(&self, gpms_per_gpu: u32, clocks: u64) -> Traffic {
        let link = |port: String, ports: &Ports| {
            let way = |lane: &Lane| Way {
                messages: lane.messages,
                bytes: lane.bytes,
                utilisation: lane.utilisation(clocks),
            };
            Link { port, out: way(&ports.out), into: way(&ports.into) }
        };
        let gpms = (0..).zip(&self.gpms).map(|(gpm, ports)| {
            let port = format!("gpu{}.gpm{}", gpm / gpms_per_gpu, gpm % gpms_per_gpu);
            link(port, ports)
        });
        let gpus = self.gpus.iter().enumerate();
        let gpus = gpus.map(|(gpu, ports)| link(format!("gpu{gpu}"), ports));
        let gpms: Vec<_> = gpms.filter(|_| gpms_per_gpu > 1).collect();
        let gpus: Vec<_> = gpus.filter(|_| self.gpus.len() > 1).collect();
        let sum = |links: &[Link]| links.iter().map(|link| link.out.bytes).sum();
        Traffic {
            between_gpms: sum(&gpms),
            between_gpus: sum(&gpus),
            gpm_links: gpms,
            gpu_links: gpus,
        }
    }
}

impl Hierarchy {
    /// Sends a message; messages from one end to another on one network arrive in order.
    pub(super) fn send(&mut self, message: u32) {
        let now = self.events.now();
        let delay = u64::from(self.jitter());
        let l2_latency = u64::from(self.config.l2.latency);
        let it = self.messages.get(message);
        let (size, is_request) = (it.size(), it.is_request());
        let (from, to) = (it.from, it.to);
        let at = now as f64;
        let (arrival, last) = match (from, to) {
            (Port::Core(core), _) => {
                let ports = &mut self.links.cores[core as usize];
                let arrival = ports.up.send(at, size).ceil() as u64 + l2_latency;
                (arrival, &mut ports.last_up)
            }
            (Port::Gpm(_), Port::Core(core)) => {
                let ports = &mut self.links.cores[core as usize];
                (ports.down.send(at, size).ceil() as u64, &mut ports.last_down)
            }
            (Port::Gpm(from), Port::Gpm(to)) => {
                let topology = self.homes.topology;
                let (from_gpu, to_gpu) = (topology.gpu(from), topology.gpu(to));
                let (out, into, all) = match from_gpu == to_gpu {
                    true => (from, to, &mut self.links.gpms),
                    false => (from_gpu, to_gpu, &mut self.links.gpus),
                };
                let half = all[out as usize].out.send(at, size);
                let arrival = all[into as usize].into.send(half, size).ceil() as u64;
                let pair = (from * topology.gpms + to) as usize;
                let latency = if is_request { l2_latency } else { 0 };
                (arrival + latency, &mut self.links.last[usize::from(is_request)][pair])
            }
        };
        let mut arrival = arrival + delay;
        if self.planted != Some(PlantedError::Overtake) {
            arrival = arrival.max(*last);
        }
        *last = arrival;
        self.events.at(arrival, Event::Arrive(message));
    }
}
