//! The hierarchy in Verilator's XML, which versions before 5.040 write.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::{Hierarchy, Opened, Told};
use crate::verilator::header::verilog_name;

/// Elements whose contents do not run in every simulation.
const UNSURE: [&[u8]; 6] = [b"if", b"case", b"while", b"func", b"task", b"always"];

pub(super) fn read(text: &[u8]) -> Result<Hierarchy, String> {
    let mut told = Told::default();
    let mut open: Vec<Vec<u8>> = Vec::new();
    let (mut within, mut is_top) = (None, false);
    // The depth of a system task that opens a file, and its arguments so far.
    let mut opened: Option<(usize, Opened, Vec<Option<String>>)> = None;
    let mut reader = Reader::from_reader(text);
    reader.config_mut().expand_empty_elements = true;
    loop {
        match reader.read_event() {
            Ok(Event::Start(element)) => {
                let tag = element.name().as_ref().to_vec();
                let of = |name| attribute(&element, name);
                match tag.as_slice() {
                    b"file" => {
                        told.files.insert(of("id"), of("filename"));
                    }
                    b"module" => {
                        let name = verilog_name(&of("origName"));
                        told.modules.push((of("name"), name.clone()));
                        is_top = of("topModule") == "1";
                        within = Some(name);
                    }
                    b"instance" => {
                        let (module, place) = (verilog_name(&of("defName")), of("loc"));
                        told.instances.extend(within.clone().map(|within| (within, module, place)));
                    }
                    b"var" if is_top && !of("dir").is_empty() => {
                        told.ports.push((verilog_name(&of("name")), of("dtype_id")));
                    }
                    b"basicdtype" => told.range(of("id"), &of("left"), &of("right")),
                    b"readmem" | b"fopen" => {
                        let is_certain = !open.iter().any(|tag| UNSURE.contains(&tag.as_slice()));
                        let is_open = tag == b"fopen";
                        let (place, words) = (of("loc"), [None, None]);
                        let task = Opened { is_open, place, is_certain, words };
                        opened = Some((open.len(), task, Vec::new()));
                    }
                    _ => {}
                }
                if let Some((depth, _, arguments)) = &mut opened
                    && *depth + 1 == open.len()
                {
                    arguments.push((tag == b"const").then(|| of("name")));
                }
                open.push(tag);
            }
            Ok(Event::End(_)) => {
                match open.pop().as_deref() {
                    Some(b"module") => (within, is_top) = (None, false),
                    Some(b"readmem" | b"fopen") => {
                        told.opened.extend(opened.take().map(|(_, task, arguments)| {
                            // The variable of $fopen comes first.
                            let mut arguments = arguments.into_iter().skip(task.is_open.into());
                            let words = [0, 1].map(|_| arguments.next().flatten());
                            Opened { words, ..task }
                        }));
                    }
                    _ => {}
                }
            }
            Ok(Event::Eof) => return Ok(told.resolved()),
            Err(error) => return Err(error.to_string()),
            Ok(_) => {}
        }
    }
}

fn attribute(element: &BytesStart<'_>, name: &str) -> String {
    let attribute = element.try_get_attribute(name).ok().flatten();
    let value = attribute
        .and_then(|found| Some(found.normalized_value(XmlVersion::Implicit1_0).ok()?.into_owned()));
    value.unwrap_or_default()
}
