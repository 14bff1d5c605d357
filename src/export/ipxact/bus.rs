//! The buses: a definition, and an abstraction with the logical ports of both sides.

use warpsmith_blocks::channel::Handshake;

use super::xml::Xml;

/// A kind of channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bus {
    /// A transfer happens at a clock edge with VALID and READY high.
    ReadyValid,
    /// A transfer happens at a clock edge with VALID high.
    ValidOnly,
}

impl Bus {
    /// The bus of channels with that handshake. One that takes revocable offers takes all others too.
    pub fn of(handshake: Handshake) -> Self {
        match handshake.has_ready() {
            true => Self::ReadyValid,
            false => Self::ValidOnly,
        }
    }

    /// Name of the bus definition.
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadyValid => "ready_valid",
            Self::ValidOnly => "valid_only",
        }
    }

    /// Name of the abstraction definition.
    pub fn abstraction_name(self) -> String {
        format!("{}_rtl", self.name())
    }

    fn about(self) -> &'static str {
        match self {
            Self::ReadyValid => {
                "A transfer happens at a clock edge with VALID and READY high. An offer stays as it is until it is taken."
            }
            Self::ValidOnly => {
                "A transfer happens at a clock edge with VALID high; the slave cannot refuse."
            }
        }
    }

    /// The text of the bus definition.
    pub fn definition(self) -> String {
        Xml::document("busDefinition", self.name(), |xml| {
            xml.text("directConnection", "true");
            xml.text("isAddressable", "false");
            // One offers, one takes.
            xml.text("maxMasters", "1");
            xml.text("maxSlaves", "1");
            xml.text("description", self.about());
        })
    }

    /// The text of the abstraction definition.
    pub fn abstraction(self) -> String {
        Xml::document("abstractionDefinition", &self.abstraction_name(), |xml| {
            xml.reference("busType", self.name());
            xml.element("ports", |xml| {
                port(xml, "VALID", "The master offers a payload.", Some("1"), "out");
                if self == Self::ReadyValid {
                    port(xml, "READY", "The slave takes what is offered.", Some("1"), "in");
                }
                let payload = "All fields side by side, the first in the highest bits.";
                port(xml, "PAYLOAD", payload, None, "out");
            });
        })
    }
}

/// A logical port. Without a width the component defines it; then a channel may lack the port.
fn port(xml: &mut Xml, name: &str, about: &str, width: Option<&str>, of_master: &str) {
    let of_slave = if of_master == "out" { "in" } else { "out" };
    xml.element("port", |xml| {
        xml.text("logicalName", name);
        xml.text("description", about);
        xml.element("wire", |xml| {
            if width.is_none() {
                xml.element("qualifier", |xml| xml.text("isData", "true"));
            }
            for (side, direction) in [("onMaster", of_master), ("onSlave", of_slave)] {
                xml.element(side, |xml| {
                    xml.text("presence", if width.is_some() { "required" } else { "optional" });
                    if let Some(width) = width {
                        xml.text("width", width);
                    }
                    xml.text("direction", direction);
                });
            }
        });
    });
}
