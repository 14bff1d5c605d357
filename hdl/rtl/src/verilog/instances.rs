//! Memories and submodules as instances with named connections.

use crate::ir::{Instance, Memory, NodeId};

use super::expression::broken;
use super::writer::Writer;
use super::{comment, memory_module_name};

impl Writer<'_> {
    pub(super) fn memory(&mut self, index: usize) {
        let memory = &self.module.memories[index];
        let mut connections = vec![("clk".to_string(), "clk".to_string())];
        for (i, port) in memory.write_ports.iter().enumerate() {
            let operands =
                [("enable", port.enable), ("address", port.address), ("data", port.data)];
            let operands = operands.into_iter().chain(port.lanes.map(|lanes| ("lanes", lanes)));
            for (role, node) in operands {
                let port = format!("w{i}_{role}");
                self.expressions.start(&format!("{}_{port}", memory.name));
                connections.push((port, self.expressions.whole(node)));
            }
        }
        for (i, port) in memory.read_ports.iter().enumerate() {
            let enable = port.enable.map(|enable| ("enable", enable));
            let operands = [("address", port.address), ("data", port.data)];
            for (role, node) in enable.into_iter().chain(operands) {
                let port = format!("r{i}_{role}");
                self.expressions.start(&format!("{}_{port}", memory.name));
                connections.push((port, self.expressions.whole(node)));
            }
        }
        let module = memory_module_name(&self.module.name, memory);
        self.connect(&module, &memory.name, memory.doc.as_deref(), &connections);
    }

    pub(super) fn instance(&mut self, index: usize) {
        let instance: &Instance = &self.module.instances[index];
        let mut connections: Vec<_> =
            ["clk", "rst"].map(|name| (name.to_string(), name.to_string())).into();
        let inner = &instance.module;
        for (port, &node) in inner.inputs().zip(&instance.inputs) {
            let port = inner.port_name(port);
            self.expressions.start(&format!("{}_{port}", instance.name));
            connections.push((port.to_string(), self.expressions.whole(node)));
        }
        for (port, &node) in inner.outputs().zip(&instance.outputs) {
            connections.push((inner.port_name(port).to_string(), self.expressions.whole(node)));
        }
        self.connect(&inner.name, &instance.name, instance.doc.as_deref(), &connections);
    }

    fn connect(&mut self, module: &str, name: &str, doc: Option<&str>, ports: &[(String, String)]) {
        let doc = doc.map_or(String::new(), |doc| comment("    ", doc));
        let mut text = format!("{doc}    {}{module} {name} (\n", self.prefix);
        for (i, (port, value)) in ports.iter().enumerate() {
            let end = if i + 1 == ports.len() { ")" } else { ")," };
            text += &broken("        ", &format!(".{port}("), value, end);
        }
        self.line(&(text + "    );\n"));
    }
}

/// The last node that a memory's ports read or drive.
pub(super) fn last_of_memory(memory: &Memory) -> NodeId {
    let writes = memory
        .write_ports
        .iter()
        .flat_map(|port| [port.enable, port.address, port.data].into_iter().chain(port.lanes));
    let reads = memory
        .read_ports
        .iter()
        .flat_map(|port| port.enable.into_iter().chain([port.address, port.data]));
    writes.chain(reads).max().unwrap_or(NodeId(0))
}
