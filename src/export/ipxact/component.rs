//! The component: channels as bus interfaces, ports, files and parameters.

use warpsmith_blocks::channel::{Channel, Direction};

use super::bus::Bus;
use super::xml::Xml;
use crate::export::{Named, Source};

const VIEW: &str = "rtl";
const RTL_FILES: &str = "rtl_files";
const CONSTRAINT_FILES: &str = "constraint_files";

/// The component's text.
pub fn text(source: &Source<'_>, named: &Named) -> String {
    Xml::document("component", &source.package(), |xml| {
        xml.element("busInterfaces", |xml| {
            source.design.channels().iter().for_each(|channel| bus_interface(xml, channel));
        });
        xml.element("model", |xml| model(xml, source));
        xml.element("fileSets", |xml| {
            let verilog: Vec<_> =
                named.rtl.iter().map(|file| (file.as_str(), "verilogSource-2001")).collect();
            file_set(xml, RTL_FILES, &verilog);
            file_set(xml, CONSTRAINT_FILES, &[(&named.constraints, "SDC")]);
        });
        xml.text("description", source.design.block().summary);
        // Fixed when the Verilog was made: they describe the component and cannot be set.
        xml.element("parameters", |xml| {
            for (name, value) in source.design.params() {
                xml.element("parameter", |xml| {
                    xml.text("name", &name);
                    xml.text("value", &value.to_string());
                });
            }
        });
    })
}

fn bus_interface(xml: &mut Xml, channel: &Channel) {
    let bus = Bus::of(channel.handshake);
    xml.element("busInterface", |xml| {
        xml.text("name", channel.name);
        xml.text("description", channel.doc);
        xml.reference("busType", bus.name());
        xml.element("abstractionTypes", |xml| {
            xml.element("abstractionType", |xml| {
                xml.reference("abstractionRef", &bus.abstraction_name());
                xml.element("portMaps", |xml| port_maps(xml, channel));
            });
        });
        // Whoever offers is the master.
        xml.empty(match channel.direction {
            Direction::Input => "slave",
            Direction::Output => "master",
        });
    });
}

/// Which port of the block is which logical port. The first field has the highest bits of the payload.
fn port_maps(xml: &mut Xml, channel: &Channel) {
    let mut map = |logical: &str, role: &str, bits: Option<(u32, u32)>| {
        xml.element("portMap", |xml| {
            xml.element("logicalPort", |xml| {
                xml.text("name", logical);
                if let Some((high, low)) = bits {
                    range(xml, "range", high, low);
                }
            });
            xml.element("physicalPort", |xml| {
                xml.text("name", &format!("{}_{role}", channel.name));
            });
        });
    };
    map("VALID", "valid", None);
    if channel.handshake.has_ready() {
        map("READY", "ready", None);
    }
    let mut above = channel.fields.width();
    for field in channel.fields.iter() {
        map("PAYLOAD", &field.name, Some((above - 1, above - field.width)));
        above -= field.width;
    }
}

fn model(xml: &mut Xml, source: &Source<'_>) {
    xml.element("views", |xml| {
        xml.element("view", |xml| {
            xml.text("name", VIEW);
            xml.text("envIdentifier", ":*Synthesis:");
            xml.text("envIdentifier", ":*Simulation:");
            xml.text("componentInstantiationRef", VIEW);
        });
    });
    xml.element("instantiations", |xml| {
        xml.element("componentInstantiation", |xml| {
            xml.text("name", VIEW);
            xml.text("language", "Verilog");
            xml.text("moduleName", &source.name);
            // The constraints are of the block alone, not of a design that holds it.
            xml.element("fileSetRef", |xml| xml.text("localName", RTL_FILES));
        });
    });
    xml.element("ports", |xml| {
        port(xml, "clk", Some("the clock; everything happens at its rising edge"), "in", 1);
        for slot in &source.layout.inputs {
            let reset = (slot.name == "rst").then_some("synchronous reset, active high");
            port(xml, &slot.name, reset.or(source.port_doc(&slot.name)), "in", slot.width);
        }
        for slot in &source.layout.outputs {
            port(xml, &slot.name, source.port_doc(&slot.name), "out", slot.width);
        }
    });
}

fn port(xml: &mut Xml, name: &str, about: Option<&str>, direction: &str, width: u32) {
    xml.element("port", |xml| {
        xml.text("name", name);
        if let Some(about) = about {
            xml.text("description", about);
        }
        xml.element("wire", |xml| {
            xml.text("direction", direction);
            if width > 1 {
                xml.element("vectors", |xml| range(xml, "vector", width - 1, 0));
            }
        });
    });
}

fn range(xml: &mut Xml, element: &str, high: u32, low: u32) {
    xml.element(element, |xml| {
        xml.text("left", &high.to_string());
        xml.text("right", &low.to_string());
    });
}

fn file_set(xml: &mut Xml, name: &str, files: &[(&str, &str)]) {
    xml.element("fileSet", |xml| {
        xml.text("name", name);
        for (file, file_type) in files {
            xml.element("file", |xml| {
                xml.text("name", file);
                xml.text("fileType", file_type);
            });
        }
    });
}
