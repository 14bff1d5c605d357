//! The metadata table as a part: its answers are always taken.

use warpsmith_rtl::builder::InstanceHandle;
use warpsmith_rtl::library::record::Fields;
use warpsmith_rtl::{ModuleBuilder, Signal, Wire};

use crate::getm_metadata::{self, OVERFLOW_REQ, OVERFLOW_RESP, REQ};
use crate::getm_validation::params::Params;

/// The table.
pub(super) struct Table<'m> {
    instance: InstanceHandle<'m>,
    /// What goes in.
    pub req_valid: Wire<'m>,
    pub req: Vec<Wire<'m>>,
    fields: Fields,
    /// It is taken.
    pub req_ready: Signal<'m>,
}

impl<'m> Table<'m> {
    /// The table, its overflow channels and its errors led out.
    pub fn new(m: &'m ModuleBuilder, p: &Params) -> Self {
        let channels = getm_metadata::channels(&p.table());
        let fields = channels[REQ].fields.clone();
        let req_valid = m.wire("issues_valid", 1);
        let wire = |f: &warpsmith_rtl::library::record::Field| {
            m.wire(&format!("issues_{}", f.name), f.width)
        };
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

    /// An output of the table.
    pub fn output(&self, name: &str) -> Signal<'m> {
        self.instance.output(name)
    }

    /// Gives a field of what goes in.
    pub fn set(&self, field: &str, value: Signal<'m>) {
        self.req[self.fields.position(field).expect("a field")].set(value);
    }
}
