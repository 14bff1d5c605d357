//! Elements of an IP-XACT document.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use crate::export::{LIBRARY, VENDOR, VERSION};

const NAMESPACE: &str = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014";

/// Writes elements; their names get the prefix of IP-XACT.
pub struct Xml(Writer<Vec<u8>>);

impl Xml {
    /// A document with that root, identified by vendor, library, `name` and version.
    pub fn document(root: &str, name: &str, content: impl FnOnce(&mut Self)) -> String {
        let mut xml = Self(Writer::new_with_indent(Vec::new(), b' ', 2));
        let declaration = Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None));
        xml.0.write_event(declaration).expect(IN_MEMORY);
        xml.with(root, &[("xmlns:ipxact", NAMESPACE)], |xml| {
            xml.text("vendor", VENDOR);
            xml.text("library", LIBRARY);
            xml.text("name", name);
            xml.text("version", VERSION);
            content(xml);
        });
        String::from_utf8(xml.0.into_inner()).expect("made of strings") + "\n"
    }

    /// An element with others in it.
    pub fn element(&mut self, name: &str, content: impl FnOnce(&mut Self)) {
        self.with(name, &[], content);
    }

    /// An element that contains a text.
    pub fn text(&mut self, name: &str, text: &str) {
        let name = format!("ipxact:{name}");
        let element = self.0.create_element(&name);
        element.write_text_content(BytesText::new(text)).expect(IN_MEMORY);
    }

    /// An empty element.
    pub fn empty(&mut self, name: &str) {
        let name = format!("ipxact:{name}");
        self.0.create_element(&name).write_empty().expect(IN_MEMORY);
    }

    /// An empty element that refers to a document by its name.
    pub fn reference(&mut self, element: &str, name: &str) {
        let parts =
            [("vendor", VENDOR), ("library", LIBRARY), ("name", name), ("version", VERSION)];
        let element = format!("ipxact:{element}");
        let element = self.0.create_element(&element).with_attributes(parts);
        element.write_empty().expect(IN_MEMORY);
    }

    /// An element with attributes and others in it.
    pub fn with(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        content: impl FnOnce(&mut Self),
    ) {
        let name = format!("ipxact:{name}");
        let element = self.0.create_element(&name).with_attributes(attributes.iter().copied());
        let written = element.write_inner_content(|writer| {
            // The closure borrows the writer, which the elements in it need.
            let mut inner = Self(std::mem::replace(writer, Writer::new(Vec::new())));
            content(&mut inner);
            *writer = inner.0;
            Ok::<_, io::Error>(())
        });
        written.expect(IN_MEMORY);
    }
}

const IN_MEMORY: &str = "writing to memory does not fail";
