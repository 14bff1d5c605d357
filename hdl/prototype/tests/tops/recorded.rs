//! The tops as files for those who do not build with rust_hdl: the modules `host` and `queue`, which all tops have
//! in common, with their widths as parameters, and for each block a top that instantiates them.
//!
//! rust_hdl emits no parameters, but a module for each width. So they are emitted for widths that stand out, and
//! these are replaced by names; [`top`] looks that with its own widths they are what rust_hdl emits for it.

use rust_hdl::prelude::*;
use warpsmith_blocks::board::BoardLayout;
use warpsmith_prototype::board::host::Host;
use warpsmith_prototype::board::queue::Queue;
use warpsmith_prototype::board::tops::Top;
use warpsmith_prototype::native::{design, verilog};

type Widths = Vec<(&'static str, usize)>;

/// A module of Verilog with those that it instantiates.
struct Family {
    name: &'static str,
    /// Name and text, with the parameters' names for widths.
    modules: Vec<(String, String)>,
}

/// The file of the modules that all tops have in common.
pub fn host() -> String {
    host_family().verilog() + &queue_family().verilog()
}

/// The file of a top.
///
/// # Panics
/// If [`host`] with the widths of this top is not what rust_hdl emits for it.
pub fn top(top: &mut dyn Top) -> String {
    let design = design(top.block());
    let layout = BoardLayout::new(&*design);
    let own = verilog(&design.circuit());
    let emitted = top.verilog();
    assert!(emitted.contains(&own), "rust_hdl emits wrapped Verilog as it is");
    let mut modules = modules(&emitted.replace(&own, ""));
    let (control, event) = (layout.control_bits as usize, layout.event_bits as usize);
    let row = layout.row_bytes() as usize * 8;
    let widths = vec![("CONTROL", control), ("EVENT", event), ("ROW", row)];
    take(&mut modules, &host_family(), "host", &widths);
    for place in &layout.queues {
        let (payload, row) = (place.width.max(2) as usize, place.row_bytes() as usize * 8);
        let instance = format!("queue_{}", design.channels()[place.channel].name);
        take(&mut modules, &queue_family(), &instance, &vec![("PAYLOAD", payload), ("ROW", row)]);
    }
    modules.into_iter().map(|(_, text)| text).collect()
}

fn host_family() -> Family {
    const WIDTHS: [(&str, usize); 3] = [("CONTROL", 1504), ("EVENT", 1201), ("ROW", 1232)];
    let mut host = Host::<{ WIDTHS[0].1 }, { WIDTHS[1].1 }, { WIDTHS[2].1 }>::default();
    host.connect_all();
    Family::new("host", &generate_verilog(&host), &WIDTHS)
}

fn queue_family() -> Family {
    const WIDTHS: [(&str, usize); 2] = [("PAYLOAD", 997), ("ROW", 1000)];
    let mut queue = Queue::<{ WIDTHS[0].1 }, { WIDTHS[1].1 }>::default();
    queue.connect_all();
    Family::new("queue", &generate_verilog(&queue), &WIDTHS)
}

/// Takes the modules of an instance from those of a top, which instantiates the family instead.
fn take(top: &mut Vec<(String, String)>, family: &Family, instance: &str, widths: &Widths) {
    let path = format!("top${instance}");
    let is_its = |name: &str| name == path || name.starts_with(&format!("{path}$"));
    let (its, rest): (Vec<_>, Vec<_>) = top.drain(..).partition(|(name, _)| is_its(name));
    let renamed = |text: String| text.replace(&path, family.name);
    let its: Vec<_> = its.into_iter().map(|(name, text)| (renamed(name), renamed(text))).collect();
    let expected: Vec<_> = family
        .modules
        .iter()
        .map(|(name, text)| (name.clone(), exchange(text, widths, |[number, name]| [name, number])))
        .collect();
    assert!(its == expected, "rust_hdl emits {path} as `{}` with its widths", family.name);
    let parameters: Vec<_> =
        widths.iter().map(|(name, width)| format!(".{name}({width})")).collect();
    let (of, to) = (
        format!("{path} {instance}("),
        format!("{} #({}) {instance}(", family.name, parameters.join(", ")),
    );
    *top = rest.into_iter().map(|(name, text)| (name, text.replace(&of, &to))).collect();
}

impl Family {
    fn new(name: &'static str, emitted: &str, widths: &[(&'static str, usize)]) -> Self {
        let named = |text: String| match text.strip_prefix("top") {
            Some(rest) if text.len() == 3 || rest.starts_with('$') => format!("{name}{rest}"),
            _ => text,
        };
        let body = |text: String| {
            let text = text.replace("top$", &format!("{name}$"));
            let text = text.replace("module top(", &format!("module {name}("));
            let text = text.replace("// top\n", &format!("// {name}\n"));
            exchange(&text, &widths.to_vec(), |forms| forms)
        };
        let modules = modules(emitted);
        Self {
            name,
            modules: modules.into_iter().map(|(n, text)| (named(n), body(text))).collect(),
        }
    }

    /// The names of the parameters of a module: those in its text and those of what it instantiates.
    fn parameters(&self, module: &str) -> Vec<&'static str> {
        let inside = format!("{module}$");
        let is_its = |name: &str| name == module || name.starts_with(&inside);
        let texts: Vec<_> = self.modules.iter().filter(|(name, _)| is_its(name)).collect();
        // Nothing else is in capitals.
        let is_used = |name: &&str| texts.iter().any(|(_, text)| text.contains(*name));
        ["CONTROL", "EVENT", "PAYLOAD", "ROW"].into_iter().filter(is_used).collect()
    }

    fn verilog(&self) -> String {
        let mut all: String = self.modules.iter().map(|(_, text)| text.as_str()).collect();
        for (module, _) in &self.modules {
            let names = self.parameters(module);
            if names.is_empty() {
                continue;
            }
            let declared: Vec<_> =
                names.iter().map(|name| format!("parameter {name} = 16")).collect();
            let passed: Vec<_> = names.iter().map(|name| format!(".{name}({name})")).collect();
            let (declared, passed) = (declared.join(", "), passed.join(", "));
            all = all
                .replace(&format!("module {module}("), &format!("module {module} #({declared}) ("));
            // An instance has the last part of the module's name.
            let instance = module.rsplit('$').next().expect("a name");
            let (of, to) = (
                format!("    {module} {instance}("),
                format!("    {module} #({passed}) {instance}("),
            );
            all = all.replace(&of, &to);
        }
        all
    }
}

/// The modules of a text, each with its name, without empty lines.
fn modules(text: &str) -> Vec<(String, String)> {
    let mut modules = Vec::new();
    for line in text.lines().map(str::trim_end) {
        if let Some(head) = line.strip_prefix("module ") {
            let name = head.split('(').next().expect("a part");
            modules.push((name.to_string(), String::new()));
        }
        if let Some((_, text)) = modules.last_mut()
            && !line.is_empty()
            && !line.starts_with("//")
        {
            *text += &format!("{line}\n");
        }
    }
    modules
}

/// Exchanges the forms in which rust_hdl writes a width, a number, and those with its name.
fn exchange(text: &str, widths: &Widths, order: fn([String; 2]) -> [String; 2]) -> String {
    let mut text = text.to_string();
    for (name, width) in widths {
        let ones = num_bigint::BigUint::from(1_u32) << width;
        let forms = [
            [format!("[{}:0]", width - 1), format!("[{name} - 1:0]")],
            [format!("+:({width})"), format!("+:({name})")],
            [format!("{width}'h0;"), format!("{{{name}{{1'b0}}}};")],
            [format!("{width}'h{:x})", ones - 1_u32), format!("{{{name}{{1'b1}}}})")],
            [
                format!("last_byte = 8'h{:x};", (width / 8).saturating_sub(1)),
                format!("last_byte = {name} / 8 - 1;"),
            ],
        ];
        for [from, to] in forms.map(order) {
            text = text.replace(&from, &to);
        }
    }
    text
}
