//! The links between cores, GPMs, GPUs and units of a system's own, and the messages on them. Requests and answers have
//! networks of their own; messages from one end to another on one network arrive in order.

use slab::Slab;

use super::cpu_side::DIRECTORY_LINK;
use super::{Event, LINE, Link, Shared, Traffic, Way};
use crate::config::{Config, LinkConfig};

/// Bytes of a message beside its data: address, kind, sender. As GPGPU-Sim counts them.
pub const HEADER: u32 = 8;

/// Bytes that may wait for a core's port before the core stops sending.
const PORT_QUEUE: u32 = 8 * LINE as u32;

/// An end of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Port {
    /// The L1 of a core.
    Core(u32),
    /// The L2 of a GPM.
    Gpm(u32),
    /// A unit of the system's own, by a number that it chooses: see [`Fabric::link`].
    Unit(u32),
}

/// A message of a memory system.
pub trait Packet {
    /// Its sender and its receiver.
    fn ends(&self) -> [Port; 2];

    /// Its size on a link, the header included.
    fn bytes(&self) -> u32;

    /// Whether it travels on the network of requests. A request that arrives at a GPM has passed
    /// the latency of its L2.
    fn is_request(&self) -> bool;
}

/// All links, and the messages in flight.
#[derive(Debug)]
pub struct Fabric<M> {
    messages: Slab<M>,
    cores: Vec<CorePorts>,
    gpms: Vec<Ports>,
    gpus: Vec<Ports>,
    /// Links of units.
    own: Vec<OwnLink>,
    /// The event of a message's arrival.
    arrives: fn(u32) -> Event,
    /// Last arrival from GPM to GPM: answers, then requests.
    last: [Vec<u64>; 2],
    /// A planted error: messages from one end to another may overtake each other.
    pub overtakes: bool,
}

/// A core's two ports to the crossbar, and the last arrivals, which order later ones.
#[derive(Debug)]
struct CorePorts {
    up: Lane,
    down: Lane,
    last_up: u64,
    last_down: u64,
}

/// A link of a unit.
#[derive(Debug)]
struct OwnLink {
    name: &'static str,
    ends: [Port; 2],
    /// From the first end, and into it.
    ports: Ports,
    /// Clocks that requests take beyond the link.
    request_latency: u64,
    /// Last arrivals: of answers, then of requests.
    last: [u64; 2],
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

    fn link(&self, port: String, clocks: u64) -> Link {
        Link { port, out: self.out.way(clocks), into: self.into.way(clocks) }
    }
}

impl<M: Packet> Fabric<M> {
    /// The idle links of a machine; `arrives` gives the event of a message's arrival.
    pub fn new(config: &Config, arrives: fn(u32) -> Event) -> Self {
        let machine = &config.machine;
        let crossbar = || Lane::new(&config.crossbar);
        let pairs = machine.gpms() as usize * machine.gpms() as usize;
        let core = |_| CorePorts { up: crossbar(), down: crossbar(), last_up: 0, last_down: 0 };
        Self {
            messages: Slab::new(),
            cores: (0..machine.cores()).map(core).collect(),
            gpms: (0..machine.gpms()).map(|_| Ports::new(&config.gpm_link)).collect(),
            gpus: (0..machine.gpus).map(|_| Ports::new(&config.gpu_link)).collect(),
            own: Vec::new(),
            arrives,
            last: [vec![0; pairs], vec![0; pairs]],
            overtakes: false,
        }
    }

    /// Adds a link between two ends, of which at least one is a unit. Requests take some clocks more than
    /// the link, in the unit that they come to.
    pub fn link(
        mut self,
        name: &'static str,
        ends: [Port; 2],
        config: &LinkConfig,
        request_latency: u32,
    ) -> Self {
        let request_latency = request_latency.into();
        let ports = Ports::new(config);
        self.own.push(OwnLink { name, ends, ports, request_latency, last: [0; 2] });
        self
    }

    /// A message that is yet to be sent; gives its number.
    pub fn add(&mut self, message: M) -> u32 {
        self.messages.insert(message) as u32
    }

    /// A message, which its receiver changes and sends on, or keeps until it is served.
    #[inline]
    pub fn get(&mut self, message: u32) -> &mut M {
        &mut self.messages[message as usize]
    }

    /// Takes a message that is over.
    pub fn take(&mut self, message: u32) -> M {
        self.messages.remove(message as usize)
    }

    /// The message is over.
    pub fn end(&mut self, message: u32) {
        self.messages.remove(message as usize);
    }

    /// When a core may send more.
    pub fn core_ready(&self, core: u32) -> u64 {
        self.cores[core as usize].up.ready_for(PORT_QUEUE)
    }

    /// Sends a new message.
    pub fn send_new(&mut self, shared: &mut Shared, message: M) {
        let message = self.add(message);
        self.send(shared, message);
    }

    /// Sends a message to its receiver. A unit must have a link to the other end.
    pub fn send(&mut self, shared: &mut Shared, message: u32) {
        let now = shared.events.now();
        let delay = u64::from(shared.jitter());
        let l2_latency = u64::from(shared.config.l2.latency);
        let packet = &self.messages[message as usize];
        let (bytes, is_request) = (packet.bytes(), packet.is_request());
        let at = now as f64;
        let (arrival, last) = match packet.ends() {
            ends @ ([Port::Unit(_), _] | [_, Port::Unit(_)]) => {
                let back = [ends[1], ends[0]];
                let link = self.own.iter_mut().find(|link| [ends, back].contains(&link.ends));
                let Some(OwnLink { ends: [first, _], ports, request_latency, last, .. }) = link
                else {
                    unreachable!("no link between {ends:?}")
                };
                let arrival = match ends[0] == *first {
                    true => ports.out.send(at, bytes),
                    false => ports.into.send(at, bytes) + ports.out.latency,
                };
                let latency = if is_request { *request_latency } else { 0 };
                (arrival.ceil() as u64 + latency, &mut last[usize::from(is_request)])
            }
            [Port::Core(core), _] => {
                let ports = &mut self.cores[core as usize];
                let arrival = ports.up.send(at, bytes).ceil() as u64 + l2_latency;
                (arrival, &mut ports.last_up)
            }
            [Port::Gpm(_), Port::Core(core)] => {
                let ports = &mut self.cores[core as usize];
                (ports.down.send(at, bytes).ceil() as u64, &mut ports.last_down)
            }
            [Port::Gpm(from), Port::Gpm(to)] => {
                let topology = shared.homes.topology;
                let (from_gpu, to_gpu) = (topology.gpu(from), topology.gpu(to));
                let (out, into, all) = match from_gpu == to_gpu {
                    true => (from, to, &mut self.gpms),
                    false => (from_gpu, to_gpu, &mut self.gpus),
                };
                let half = all[out as usize].out.send(at, bytes);
                let arrival = all[into as usize].into.send(half, bytes).ceil() as u64;
                let pair = (from * topology.gpms + to) as usize;
                let latency = if is_request { l2_latency } else { 0 };
                (arrival + latency, &mut self.last[usize::from(is_request)][pair])
            }
        };
        let mut arrival = arrival + delay;
        if !self.overtakes {
            arrival = arrival.max(*last);
        }
        *last = arrival;
        shared.events.at(arrival, (self.arrives)(message));
    }

    /// Bytes between the cores and the crossbar, both ways.
    pub fn crossbar_bytes(&self) -> u64 {
        self.cores.iter().map(|ports| ports.up.bytes + ports.down.bytes).sum()
    }

    /// Traffic of each link between GPMs, then of each between GPUs; a machine with one GPM,
    /// or one GPU, has none of the kind.
    pub fn traffic(&self, shared: &Shared) -> Traffic {
        let (gpms_per_gpu, clocks) = (shared.homes.topology.gpms_per_gpu, shared.events.now());
        let gpms = (0..).zip(&self.gpms).map(|(gpm, ports)| {
            let port = format!("gpu{}.gpm{}", gpm / gpms_per_gpu, gpm % gpms_per_gpu);
            ports.link(port, clocks)
        });
        let gpus = self.gpus.iter().enumerate();
        let gpus = gpus.map(|(gpu, ports)| ports.link(format!("gpu{gpu}"), clocks));
        let gpms: Vec<_> = gpms.filter(|_| gpms_per_gpu > 1).collect();
        let gpus: Vec<_> = gpus.filter(|_| self.gpus.len() > 1).collect();
        let sum = |links: &[Link]| links.iter().map(|link| link.out.bytes).sum();
        let directory = self.own.iter().find(|link| link.name == DIRECTORY_LINK);
        let directory = directory.map(|link| link.ports.link(link.name.to_string(), clocks));
        let directory = directory.filter(|link| link.out.messages > 0);
        let into_l1s = self.cores.iter().map(|ports| ports.down.bytes).sum();
        Traffic {
            into_l1s: directory.as_ref().map(|_| into_l1s),
            directory,
            between_gpms: sum(&gpms),
            between_gpus: sum(&gpus),
            gpm_links: gpms,
            gpu_links: gpus,
        }
    }
}

/// One way of a link, or one port: messages go one after the other.
#[derive(Debug)]
struct Lane {
    /// When it is free, in clocks.
    free: f64,
    latency: f64,
    per_byte: f64,
    messages: u64,
    bytes: u64,
}

impl Lane {
    fn new(config: &LinkConfig) -> Self {
        let per_byte = 1.0 / config.bytes_per_clock;
        Self { free: 0.0, latency: f64::from(config.latency), per_byte, messages: 0, bytes: 0 }
    }

    /// Sends a message that is there at `at`; gives when it has arrived.
    #[inline]
    fn send(&mut self, at: f64, bytes: u32) -> f64 {
        self.messages += 1;
        self.bytes += u64::from(bytes);
        self.free = self.free.max(at) + f64::from(bytes) * self.per_byte;
        self.free + self.latency
    }

    /// Its traffic in so many clocks.
    fn way(&self, clocks: u64) -> Way {
        let utilisation = self.bytes as f64 * self.per_byte / clocks.max(1) as f64;
        Way { messages: self.messages, bytes: self.bytes, utilisation }
    }

    /// The clock when it will have sent all but this many bytes.
    fn ready_for(&self, bytes: u32) -> u64 {
        (self.free - f64::from(bytes) * self.per_byte).max(0.0) as u64
    }
}
