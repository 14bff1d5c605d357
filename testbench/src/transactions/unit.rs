//! A unit's circuit, with queues at its channels, and its own partner such as a memory.

use std::collections::VecDeque;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::verification::{ChannelPlace, Partner};

use crate::agents::{Driver, Receiver, Stalls, Willing};
use crate::backend::{BackendError, Models};
use crate::bench::Bench;
use crate::model::Model;

/// A unit.
pub(super) struct Unit {
    name: &'static str,
    model: Box<dyn Model>,
    places: Vec<ChannelPlace>,
    drivers: Vec<Driver>,
    /// With the index of the channel.
    receivers: Vec<(usize, Receiver)>,
    /// Payloads that are to be offered, by channel.
    offers: Vec<VecDeque<Vec<u64>>>,
    partner: Option<Box<dyn Partner>>,
    ports: Vec<u64>,
    inputs: usize,
}

impl Unit {
    /// A unit after its reset.
    pub fn new(
        design: &dyn Design,
        models: &Models,
        stalls: Stalls,
        seed: u64,
    ) -> Result<Self, BackendError> {
        let bench = Bench::new(design, &design.circuit());
        let places = bench.places().to_vec();
        let (mut drivers, mut receivers) = (Vec::new(), Vec::new());
        for (index, (channel, place)) in bench.channels().iter().zip(&places).enumerate() {
            let willing = Willing::new(stalls, seed, index);
            if place.is_input {
                drivers.push(Driver::new(index, place, willing));
            } else if channel.handshake.has_ready() {
                receivers.push((index, Receiver::new(place, willing)));
            }
        }
        // Nobody asks here whether the environment was willing. The last word stands for the ready of
        // channels that have none.
        let mut ports = vec![0; bench.withheld()];
        ports[bench.withheld() - 1] = 1;
        let inputs = bench.layout().input_words();
        let offers = vec![VecDeque::new(); places.len()];
        let (name, model) = (design.name(), models.instance()?);
        let partner = design.partner();
        let mut unit =
            Self { name, model, places, drivers, receivers, offers, partner, ports, inputs };
        let reset = bench.layout().input("rst").expect("every module has a reset").offset;
        unit.ports[reset] = 1;
        unit.clock_model();
        unit.ports[reset] = 0;
        // What a model says of the time before its reset means nothing.
        let _ = unit.model.complaint();
        Ok(unit)
    }

    /// Puts a payload at the end of a channel's queue.
    pub fn offer(&mut self, channel: usize, payload: &[u64]) {
        self.offers[channel].push_back(payload.to_vec());
    }

    /// Payloads of a channel that are not on offer yet.
    pub fn queued(&self, channel: usize) -> usize {
        self.offers[channel].len()
    }

    /// One clock, in which nothing is taken on output channels that are `full`.
    pub fn clock(&mut self, full: impl Fn(usize) -> bool) -> Result<(), String> {
        for (channel, receiver) in &mut self.receivers {
            receiver.drive(&mut self.ports, false);
            if full(*channel) {
                self.ports[self.places[*channel].ready] = 0;
            }
        }
        let partner = &mut self.partner;
        for driver in &mut self.drivers {
            let channel = driver.channel;
            let queue = &mut self.offers[channel];
            let is_partners =
                partner.as_ref().is_some_and(|partner| partner.channels().contains(&channel));
            driver.drive(&mut self.ports, false, |payload| match queue.pop_front() {
                Some(next) => {
                    payload.copy_from_slice(&next);
                    true
                }
                None => is_partners && partner.as_mut().is_some_and(|p| p.answer(channel, payload)),
            });
        }
        if !self.clock_model()
            && let Some(complaint) = self.model.complaint()
        {
            return Err(format!("{}: {complaint}", self.name));
        }
        self.drivers.iter_mut().for_each(|driver| driver.observe(&self.ports));
        if let Some(mut partner) = self.partner.take() {
            self.transfers().for_each(|(channel, payload)| partner.observe(channel, payload));
            self.partner = Some(partner);
        }
        Ok(())
    }

    fn clock_model(&mut self) -> bool {
        let (inputs, outputs) = self.ports.split_at_mut(self.inputs);
        let wired = outputs.len() - 1;
        self.model.clock(inputs, &mut outputs[..wired])
    }

    /// The transfers of the last clock: channel and payload.
    pub fn transfers(&self) -> impl Iterator<Item = (usize, &[u64])> {
        let views = self.places.iter().map(|place| place.view(&self.ports)).enumerate();
        views.filter(|(_, view)| view.fires()).map(|(channel, view)| (channel, view.payload))
    }
}
