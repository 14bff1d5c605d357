//! A crossbar of one stage: packets of flits wait at inputs, in queues that are its virtual channels. In a step of the
//! router packets get a channel of their output, or send a flit; inputs and outputs are matched by iSLIP (McKeown 1999).

use std::collections::VecDeque;

use crate::config::NetworkConfig;

/// A packet of some flits.
#[derive(Debug, Clone, Copy)]
struct Packet<P> {
    what: P,
    to: u32,
    flits: u32,
    /// Flits that have come to the router, and that have left it.
    here: u32,
    sent: u32,
}

/// A queue at an input; its first packet may have a channel of its output.
#[derive(Debug)]
struct Channel<P> {
    packets: VecDeque<Packet<P>>,
    flits: u32,
    granted: Option<u32>,
}

#[derive(Debug)]
struct Input<P> {
    /// Flits that have not entered, and the channel that their packet enters.
    waiting: VecDeque<Packet<P>>,
    waiting_flits: u32,
    entering: Option<usize>,
    last: usize,
    channels: Vec<Channel<P>>,
    /// Round robin of its outputs.
    accept: u32,
}

#[derive(Debug)]
struct Output<P> {
    /// Whether each channel is held by a packet.
    held: Vec<bool>,
    /// When the last flit goes over the wire.
    wire: u64,
    /// Packets, with the clock in which they can be taken.
    arrived: VecDeque<(u64, u32, P)>,
    /// Flits that wait or are on the wire.
    flits: u32,
    /// Round robin of inputs, for channels and for the switch.
    grant_channel: u32,
    grant_switch: u32,
}

/// The crossbar.
#[derive(Debug)]
pub(super) struct Network<P> {
    config: NetworkConfig,
    inputs: Vec<Input<P>>,
    outputs: Vec<Output<P>>,
    /// Packets that have not left their input.
    busy: u32,
    /// For each output the queues that want a channel of it, and those that can send; for each input the outputs that
    /// would take its flit. One bit each.
    wanted: Vec<[u128; 2]>,
    offers: Vec<u128>,
}

/// The first bit that is set, from one on and then from the beginning.
fn first_from(bits: u128, from: u32) -> u32 {
    let after = bits & u128::MAX.checked_shl(from).unwrap_or(0);
    if after == 0 { bits } else { after }.trailing_zeros()
}

impl<P: Copy> Network<P> {
    pub(super) fn new(config: &NetworkConfig, inputs: u32, outputs: u32) -> Self {
        let channels = config.virtual_channels as usize;
        let channel = || Channel { packets: VecDeque::new(), flits: 0, granted: None };
        let input = |_| Input {
            waiting: VecDeque::new(),
            waiting_flits: 0,
            entering: None,
            last: 0,
            channels: (0..channels).map(|_| channel()).collect(),
            accept: 0,
        };
        let output = |_| Output {
            held: vec![false; channels],
            wire: 0,
            arrived: VecDeque::new(),
            flits: 0,
            grant_channel: 0,
            grant_switch: 0,
        };
        Self {
            config: config.clone(),
            inputs: (0..inputs).map(input).collect(),
            outputs: (0..outputs).map(output).collect(),
            busy: 0,
            wanted: vec![[0; 2]; outputs as usize],
            offers: vec![0; inputs as usize],
        }
    }

    fn flits(&self, bytes: u32) -> u32 {
        bytes.div_ceil(self.config.flit_bytes)
    }

    /// Whether a sender has room for a packet.
    pub(super) fn has_room(&self, from: u32, bytes: u32) -> bool {
        self.inputs[from as usize].waiting_flits + self.flits(bytes) <= self.config.inject_flits
    }

    pub(super) fn send(&mut self, from: u32, to: u32, bytes: u32, what: P) {
        let flits = self.flits(bytes);
        let input = &mut self.inputs[from as usize];
        input.waiting.push_back(Packet { what, to, flits, here: 0, sent: 0 });
        input.waiting_flits += flits;
        self.busy += 1;
    }

    /// Takes a packet that has come.
    pub(super) fn take(&mut self, at: u32, now: u64) -> Option<P> {
        let output = &mut self.outputs[at as usize];
        let (ready, flits, what) = *output.arrived.front()?;
        if ready > now {
            return None;
        }
        output.arrived.pop_front();
        output.flits -= flits;
        Some(what)
    }

    /// One clock.
    pub(super) fn step(&mut self, now: u64) {
        if self.busy == 0 {
            return;
        }
        for step in 0..self.config.speedup {
            // What had no channel before this step sends no flit in it.
            self.look();
            self.give_channels();
            self.switch(now + u64::from(step + 1 == self.config.speedup));
        }
        for at in 0..self.inputs.len() {
            self.enter(at);
        }
    }

    /// A flit of each sender enters its router.
    fn enter(&mut self, at: usize) {
        let limit = self.config.channel_flits;
        let input = &mut self.inputs[at];
        let Some(packet) = input.waiting.front_mut() else { return };
        let channel = match input.entering {
            Some(channel) => channel,
            None => {
                let count = input.channels.len();
                let mut free = (1..=count).map(|step| (input.last + step) % count);
                let Some(channel) = free.find(|at| input.channels[*at].flits < limit) else {
                    return;
                };
                (input.entering, input.last) = (Some(channel), channel);
                channel
            }
        };
        let queue = &mut input.channels[channel];
        if queue.flits >= limit {
            return;
        }
        queue.flits += 1;
        input.waiting_flits -= 1;
        if packet.here == 0 {
            queue.packets.push_back(Packet { here: 1, ..*packet });
        } else if let Some(entered) = queue.packets.back_mut() {
            entered.here += 1;
        }
        packet.here += 1;
        if packet.here == packet.flits {
            input.waiting.pop_front();
            input.entering = None;
        }
    }

    /// For each output the queues whose head wants a channel of it, and those that can send a flit.
    fn look(&mut self) {
        let (count, limit) = (self.config.virtual_channels, self.config.eject_flits);
        self.wanted.fill([0; 2]);
        for (from, input) in (0..).zip(&self.inputs) {
            for (at, queue) in (0..).zip(&input.channels) {
                let Some(packet) = queue.packets.front() else { continue };
                let is_granted = queue.granted.is_some();
                let is_full = self.outputs[packet.to as usize].flits >= limit;
                if is_granted && (packet.sent == packet.here || is_full) {
                    continue;
                }
                let number = from * count + at;
                self.wanted[packet.to as usize][usize::from(is_granted)] |= 1 << number;
            }
        }
    }

    /// Gives free channels of outputs to packets at the heads of queues.
    fn give_channels(&mut self) {
        let count = self.config.virtual_channels;
        for (output, [wanted, _]) in self.outputs.iter_mut().zip(&self.wanted) {
            let mut wanted = *wanted;
            for channel in 0..count {
                if wanted == 0 || output.held[channel as usize] {
                    continue;
                }
                let number = first_from(wanted, output.grant_channel);
                wanted &= !(1 << number);
                let input = &mut self.inputs[(number / count) as usize];
                input.channels[(number % count) as usize].granted = Some(channel);
                output.held[channel as usize] = true;
                output.grant_channel = number + 1;
            }
        }
    }

    /// Matches inputs and outputs; each pair sends a flit, which is on the wire from a clock on.
    fn switch(&mut self, wire: u64) {
        let count = self.config.virtual_channels;
        let queues = |input: u32| ((1u128 << count) - 1) << (input * count);
        let (mut left, mut taken) = (u128::MAX, 0u128);
        for iteration in 0..self.config.iterations {
            self.offers.fill(0);
            for (to, (output, [_, wanted])) in (0..).zip(self.outputs.iter().zip(&self.wanted)) {
                let wanted = *wanted & left;
                if wanted != 0 && taken >> to & 1 == 0 {
                    let input = first_from(wanted, output.grant_switch * count) / count;
                    self.offers[input as usize] |= 1u128 << to;
                }
            }
            for from in 0..self.inputs.len() as u32 {
                let offers = self.offers[from as usize];
                if offers == 0 {
                    continue;
                }
                let to = first_from(offers, self.inputs[from as usize].accept);
                if iteration == 0 {
                    self.inputs[from as usize].accept = to + 1;
                    self.outputs[to as usize].grant_switch = from + 1;
                }
                let [_, wanted] = self.wanted[to as usize];
                let channel = (wanted & queues(from)).trailing_zeros() % count;
                left &= !queues(from);
                taken |= 1 << to;
                self.send_flit(from, channel as usize, wire);
            }
        }
    }

    fn send_flit(&mut self, from: u32, channel: usize, wire: u64) {
        let queue = &mut self.inputs[from as usize].channels[channel];
        let Some(packet) = queue.packets.front_mut() else { return };
        let output = &mut self.outputs[packet.to as usize];
        packet.sent += 1;
        queue.flits -= 1;
        output.flits += 1;
        output.wire = wire.max(output.wire + 1);
        if packet.sent < packet.flits {
            return;
        }
        let packet = *packet;
        queue.packets.pop_front();
        if let Some(held) = queue.granted.take() {
            output.held[held as usize] = false;
        }
        // A clock on the wire, and one to the receiver's queue.
        output.arrived.push_back((output.wire + 2, packet.flits, packet.what));
        self.busy -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::Network;
    use crate::config::Config;

    /// Packets a clock of saturated inputs to outputs at random.
    fn throughput(channels: u32, iterations: u32) -> f64 {
        let preset = Config::preset("gtx480_gpgpusim").expect("a preset");
        let mut config = preset.simulator.expect("the simulator's memory").network;
        (config.virtual_channels, config.iterations) = (channels, iterations);
        let mut network = Network::new(&config, 12, 15);
        let (mut state, mut taken) = (1u32, 0);
        for now in 0..4000 {
            (0..15).for_each(|to| taken += u32::from(network.take(to, now).is_some()));
            for from in 0..12 {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                if network.has_room(from, 40) {
                    network.send(from, (state >> 16) % 15, 40, ());
                }
            }
            network.step(now);
        }
        f64::from(taken) / 4000.0 / 12.0
    }

    #[test]
    fn a_packet_takes_four_clocks_and_one_channel_blocks_what_is_behind_its_head() {
        let preset = Config::preset("gtx480_gpgpusim").expect("a preset");
        let config = preset.simulator.expect("the simulator's memory").network;
        let mut network = Network::new(&config, 12, 15);
        network.send(0, 7, 40, ());
        let come = (0..20).find(|now| {
            let come = network.take(7, *now).is_some();
            network.step(*now);
            come
        });
        assert_eq!(come, Some(4));
        let [blocked, free] = [throughput(1, 1), throughput(8, 4)];
        assert!((0.5..0.75).contains(&blocked), "{blocked}");
        assert!(free > 0.85, "{free}");
    }
}
