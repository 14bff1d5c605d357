//! A channel as properties see it: all its ports are inputs.

use warpsmith_rtl::library::record::Record;
use warpsmith_rtl::{ModuleBuilder, Signal};

use crate::block::Design;
use crate::channel::Channel;
use crate::circuit::record;

/// The ports of a channel.
#[derive(Clone, Debug)]
pub struct Watched<'m> {
    /// A payload is offered.
    pub valid: Signal<'m>,
    /// It is taken, if offered; always for a valid-only channel.
    pub ready: Signal<'m>,
    /// The payload.
    pub payload: Record<'m>,
}

impl<'m> Watched<'m> {
    /// Inputs for the ports of a channel.
    #[track_caller]
    pub fn channel(m: &'m ModuleBuilder, channel: &Channel) -> Self {
        let input = |port: &str, width| m.input(&format!("{}_{port}", channel.name), width);
        let valid = input("valid", 1);
        let ready = match channel.handshake.has_ready() {
            true => input("ready", 1),
            false => m.lit(1, 1),
        };
        let payload = record(&channel.fields, |field| input(&field.name, field.width));
        Self { valid, ready, payload }
    }

    /// Inputs for the ports of all channels of a block, in their order.
    #[track_caller]
    pub fn all<const N: usize>(m: &'m ModuleBuilder, p: &impl Design) -> [Self; N] {
        let channels = p.channels();
        assert_eq!(channels.len(), N, "{} channels of {}", channels.len(), p.name());
        std::array::from_fn(|index| Self::channel(m, &channels[index]))
    }

    /// A transfer happens at the coming edge.
    pub fn fires(&self) -> Signal<'m> {
        self.valid & self.ready
    }

    /// An offer is not taken at the coming edge.
    pub fn waits(&self) -> Signal<'m> {
        self.valid & !self.ready
    }

    /// The field of that name.
    #[track_caller]
    pub fn get(&self, field: &str) -> Signal<'m> {
        self.payload.get(field)
    }
}
