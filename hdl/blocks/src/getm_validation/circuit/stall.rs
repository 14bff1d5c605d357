//! The stall buffer as a part.

use super::verdict::Verdict;
use crate::getm_metadata::{self, OVERFLOW_REQ, OVERFLOW_RESP, REQ};
use crate::getm_validation::channels::access_fields;
use crate::getm_validation::params::Params;
use crate::kit::*;

/// The stall buffer, and how many wait in it.
pub(super) struct StallBuffer<'m> {
    instance: InstanceHandle<'m>,
    inputs: Inputs<'m>,
    waiters: Reg<'m>,
}

/// Its inputs, given later.
struct Inputs<'m>(Vec<(&'static str, Wire<'m>)>);

impl<'m> Inputs<'m> {
    fn set(&self, name: &str, value: Signal<'m>) {
        let found = self.0.iter().find(|(input, _)| *input == name);
        found.unwrap_or_else(|| panic!("the stall buffer has no input `{name}`")).1.set(value);
    }

    fn get(&self, name: &str) -> Wire<'m> {
        self.0.iter().find(|(input, _)| *input == name).expect("an input").1
    }
}

impl<'m> StallBuffer<'m> {
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let (address, warp, warpts) = (p.address_bits, p.owner_bits, p.timestamp_bits);
        let inputs = [
            ("park_valid", 1),
            ("park_address", address),
            ("park_store", 1),
            ("park_warp", warp),
            ("park_warpts", warpts),
            ("retry_result_valid", 1),
            ("retry_result_address", address),
            ("retry_result_reserved", 1),
            ("release_valid", 1),
            ("release_address", address),
            ("release_all", 1),
            ("retry_ready", 1),
        ];
        let wire = |(name, width)| (name, m.wire(&format!("stall_{name}_in"), width));
        let inputs = Inputs(inputs.into_iter().map(wire).collect());
        let connections: Vec<_> = inputs.0.iter().map(|(name, wire)| (*name, **wire)).collect();
        let circuit = p.stall_buffer().circuit();
        let instance = m.instance("stall", &circuit, &connections);
        let bits = address_bits(p.lines * p.entries + 1);
        let waiters = m.reg("waiters", bits, 0).doc("Accesses that wait in the stall buffer.");
        Self { instance, inputs, waiters }
    }

    /// The accesses that are to be tried again.
    pub fn retry(&self, p: &Params) -> Stream<'m> {
        let fields: Fields = access_fields(p).saying("address", "byte address of the granule");
        let value = |name: &str| self.instance.output(&format!("retry_{name}"));
        let payload = record(&fields, |field| value(&field.name));
        Stream { valid: value("valid"), payload, ready: self.inputs.get("retry_ready") }
    }

    pub fn is_empty(&self) -> Signal<'m> {
        !self.waiters.any()
    }

    /// What parked in the last clock waits.
    pub fn had_room(&self) -> Signal<'m> {
        self.instance.output("parked_room")
    }

    /// Tells the buffer what was decided. `wakes_all`: every waiter is to leave.
    pub fn step(
        &self,
        m: &'m ModuleBuilder,
        verdict: &Verdict<'m>,
        retry: &Stream<'m>,
        wakes_all: Signal<'m>,
    ) {
        let address = verdict.get("address");
        self.inputs.set("park_valid", verdict.parks);
        for field in ["address", "store", "warp", "warpts"] {
            self.inputs.set(&format!("park_{field}"), verdict.get(field));
        }
        self.inputs.set("retry_result_valid", verdict.ends_retry);
        self.inputs.set("retry_result_address", address);
        // Else those left may be earlier than the one that has reserved the granule meanwhile, and must
        // not wait for it.
        self.inputs.set("retry_result_reserved", verdict.parks | verdict.get("stored"));
        self.inputs.set("release_valid", verdict.wakes | wakes_all);
        self.inputs.set("release_address", address);
        self.inputs.set("release_all", wakes_all);

        let parked = self.instance.output("parked_valid") & self.had_room();
        let left = retry.fires();
        m.when(parked & !left, || self.waiters.set(*self.waiters + 1))
            .otherwise_when(left & !parked, || self.waiters.set(*self.waiters - 1));
        let used_well = !self.instance.output("error_valid");
        let _ = self.instance.output("error_code");
        m.assert("retries_are_answered_once", used_well, "Each retry has one result.");
    }
}

// The metadata table as a part: its answers are always taken.

pub(super) struct Table<'m> {
    instance: InstanceHandle<'m>,
    /// What goes in.
    pub req_valid: Wire<'m>,
    pub req: Vec<Wire<'m>>,
    fields: Fields,
    pub req_ready: Signal<'m>,
}

impl<'m> Table<'m> {
    /// The table, its overflow channels and its errors led out.
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let channels = getm_metadata::channels(&p.table());
        let fields = channels[REQ].fields.clone();
        let req_valid = m.wire("issues_valid", 1);
        let wire = |f: &Field| m.wire(&format!("issues_{}", f.name), f.width);
        let req: Vec<_> = fields.iter().map(wire).collect();
        let mut inputs: Vec<(String, Signal<'m>)> = vec![
            ("req_valid".to_string(), *req_valid),
            // Nothing behind the table waits.
            ("resp_ready".to_string(), m.lit(1, 1)),
            ("overflow_req_ready".to_string(), m.input("overflow_req_ready", 1)),
            ("overflow_resp_valid".to_string(), m.input("overflow_resp_valid", 1)),
        ];
        for (field, wire) in fields.iter().zip(&req) {
            inputs.push((format!("req_{}", field.name), **wire));
        }
        for field in channels[OVERFLOW_RESP].fields.iter() {
            let name = format!("overflow_resp_{}", field.name);
            let port = m.input(&name, field.width).doc(&field.doc);
            inputs.push((name, port));
        }
        let inputs: Vec<_> = inputs.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let instance = m.instance("metadata", &getm_metadata::circuit(&p.table()), &inputs);
        let req_ready = instance.output("req_ready");
        m.output("overflow_resp_ready", instance.output("overflow_resp_ready"));
        m.output("overflow_req_valid", instance.output("overflow_req_valid"));
        for field in channels[OVERFLOW_REQ].fields.iter() {
            let name = format!("overflow_req_{}", field.name);
            m.output(&name, instance.output(&name)).doc(&field.doc);
        }
        m.output("error_valid", instance.output("error_valid"));
        let codes = channels[getm_metadata::ERROR].fields.iter().next().expect("a code");
        m.output("error_code", instance.output("error_code")).doc(&codes.doc);
        Self { instance, req_valid, req, fields, req_ready }
    }

    pub fn output(&self, name: &str) -> Signal<'m> {
        self.instance.output(name)
    }

    /// Gives a field of what goes in.
    pub fn set(&self, field: &str, value: Signal<'m>) {
        self.req[self.fields.position(field).expect("a field")].set(value);
    }
}
