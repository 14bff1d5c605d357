//! Which cells of a library synthesis may use, by rules that hold for any library.

use crate::flow::liberty::cell::{Cell, CellStorage, Next};
use crate::flow::liberty::function::Function;

/// Cells with a logic function that are meant for other purposes, recognised by name (lower case).
const BY_NAME: [(&str, &str); 9] = [
    // asap7: small and slow, so mapping for area would use them as buffers.
    ("hb1", "hold buffers"),
    ("hb2", "hold buffers"),
    ("hb3", "hold buffers"),
    ("hb4", "hold buffers"),
    ("dly", "delay cells"),
    ("delay", "delay cells"),
    ("probe", "probe points"),
    ("antenna", "antenna diodes"),
    // sky130.
    ("lpflow", "isolation cells"),
];

/// What such cells are called, if synthesis must not use this one.
pub(super) fn unusable(cell: &Cell) -> Option<&'static str> {
    if let Some(why) = cell.kept_back {
        return Some(why);
    }
    // The names appear in scripts.
    let names = cell.pins.iter().map(|pin| &pin.name).chain([&cell.name]);
    if !names.into_iter().all(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')) {
        return Some("cells with a name that needs quotes");
    }
    let name = cell.name.to_ascii_lowercase();
    // Hold buffers begin with this text, after the library's own prefix if any.
    let is_named = |mark: &str| match mark.starts_with("hb") {
        true => name.split("__").any(|part| part.starts_with(mark)),
        false => name.contains(mark),
    };
    if let Some((_, why)) = BY_NAME.iter().find(|(mark, _)| is_named(mark)) {
        return Some(why);
    }
    match &cell.memory {
        CellStorage::Other(what) => Some(what),
        CellStorage::FlipFlop(ff) if ff.next == Next::Several => Some("scan flip-flops"),
        CellStorage::FlipFlop(ff) if ff.rising.is_none() => {
            Some("flip-flops without a plain clock")
        }
        CellStorage::FlipFlop(ff) if ff.next == Next::Data && !ff.is_plain => {
            Some("flip-flops with other inputs than clock, data, clear and preset")
        }
        CellStorage::FlipFlop(ff) if !ff.has_output => {
            Some("flip-flops without an output of their state")
        }
        CellStorage::FlipFlop(_) => None,
        CellStorage::None if cell.outputs().next().is_none() => Some("cells without output"),
        CellStorage::None if cell.outputs().any(|pin| pin.is_three_state) => {
            Some("three-state drivers")
        }
        CellStorage::None if !cell.outputs().all(is_function_of_inputs(cell)) => {
            Some("cells without a function")
        }
        CellStorage::None => None,
    }
}

fn is_function_of_inputs(cell: &Cell) -> impl Fn(&crate::flow::liberty::cell::Pin) -> bool {
    let is_input = |name: &str| cell.inputs().any(|pin| pin.name == name);
    move |output| match &output.function {
        None => false,
        Some(Function::Constant(_) | Function::Nand2) => true,
        Some(Function::Buffer(of) | Function::Inverter(of)) => is_input(of),
        Some(Function::Other(of)) => of.iter().all(|name| is_input(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flow::liberty::cell::Defaults;
    use crate::flow::liberty::syntax::parse;

    /// What cells of that name and content are called, if they are not to be used.
    fn called(name: &str, content: &str) -> Option<&'static str> {
        let text = format!("library (x) {{ cell ({name}) {{ {content} }} }}");
        let library = parse(&text).unwrap();
        unusable(&Cell::of(&library.groups[0], &Defaults::default()).unwrap())
    }

    const BUFFER: &str =
        "pin (A) { direction : input; } pin (Y) { direction : output; function : \"A\"; }";

    #[test]
    fn cells_for_other_ends_are_known_by_their_names_in_any_library() {
        for (name, what) in [
            ("HB1xp67_ASAP7_75t_R", Some("hold buffers")),
            ("BUFx2_ASAP7_75t_R", None),
            ("NHB1", None),
            ("sky130_fd_sc_hd__dlygate4sd1_1", Some("delay cells")),
            ("sky130_fd_sc_hd__probe_p_8", Some("probe points")),
            ("sky130_fd_sc_hd__buf_1", None),
            ("\"buf;exec\"", Some("cells with a name that needs quotes")),
        ] {
            assert_eq!(called(name, BUFFER), what, "{name}");
        }
    }

    #[test]
    fn cells_are_known_by_what_the_library_says_of_them() {
        let released = BUFFER.replace("function", "three_state : \"!A\"; function");
        let of_nothing = BUFFER.replace("\"A\"", "\"B\"");
        let silent = "ff (Q,QN) { clocked_on : \"C\"; next_state : \"D\"; } pin (C, D) { direction : \
                      input; } pin (O) { direction : output; }";
        let mute = silent.replace("pin (C, D)", "pin (C, D, E)");
        let scan = "ff (Q,QN) { clocked_on : \"C\"; next_state : \"(S T) + (!S D)\"; } ";
        let enable = "ff (Q,QN) { clocked_on : \"C\"; next_state : \"(E D) + (!E Q)\"; } \
                      pin (O) { direction : output; function : \"Q\"; }";
        for (content, what) in [
            (released.as_str(), Some("three-state drivers")),
            (&of_nothing, Some("cells without a function")),
            ("area : 1;", Some("cells without output")),
            ("clock_gating_integrated_cell : \"x\";", Some("clock gates")),
            (&BUFFER.replace("pin (A)", "dont_use : true; pin (A)"), Some("marked dont_use")),
            ("latch (Q,QN) { enable : \"G\"; }", Some("latches")),
            (silent, Some("flip-flops without an output of their state")),
            (&mute, Some("flip-flops with other inputs than clock, data, clear and preset")),
            (scan, Some("scan flip-flops")),
            (enable, None),
        ] {
            assert_eq!(called("cell", content), what, "{content}");
        }
    }
}
