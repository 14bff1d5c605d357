//! IP-XACT (IEEE 1685-2014): the block as a component, and the buses that its channels are.

mod bus;
mod component;
mod xml;

use super::{Named, Source};

use self::bus::Bus;

/// Name and text of each file: the component, and a definition and an abstraction of each bus that it has.
pub fn files(source: &Source<'_>, named: &Named) -> Vec<(String, String)> {
    let mut files = vec![(format!("{}.xml", source.name), component::text(source, named))];
    let mut buses: Vec<_> =
        source.design.channels().iter().map(|channel| Bus::of(channel.handshake)).collect();
    buses.sort();
    buses.dedup();
    for bus in buses {
        files.push((format!("{}.xml", bus.name()), bus.definition()));
        files.push((format!("{}.xml", bus.abstraction_name()), bus.abstraction()));
    }
    files
}
