//! The ends of messages in a machine whose only GPM shares a directory with CPUs.

use super::{Event, Fabric, Packet, Port};
use crate::config::Config;

/// The directory, with the memory-side L3 behind it.
pub const DIRECTORY: Port = Port::Unit(0);
/// The CPUs that share the directory.
pub const CPUS: Port = Port::Unit(1);

/// The name of the link of the GPM to the directory.
pub(super) const DIRECTORY_LINK: &str = "directory";

/// The links of such a machine: those of any, of the GPM to the directory, and of the CPUs to it.
pub fn fabric_with_directory<M: Packet>(config: &Config, arrives: fn(u32) -> Event) -> Fabric<M> {
    let latency = config.l3.as_ref().map_or(0, |l3| l3.latency);
    let link = &config.gpm_link;
    Fabric::new(config, arrives)
        .link(DIRECTORY_LINK, [Port::Gpm(0), DIRECTORY], link, latency)
        .link("cpus", [CPUS, DIRECTORY], link, latency)
}
