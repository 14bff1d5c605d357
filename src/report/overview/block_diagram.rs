//! Block diagrams from a circuit's hierarchy and channels, as SVG in the colour of the text around it.

use std::fmt::Write;

use warpsmith_blocks::block::Design;
use warpsmith_blocks::channel::{Channel, Direction};
use warpsmith_rtl::Module;

use crate::report::html::escaped;

/// Size of a part's box in pixels.
const BOX: (usize, usize) = (190, 44);
const GAP: usize = 14;
/// Columns of boxes.
const COLUMNS: usize = 3;
/// Width at both sides for channels.
const SIDE: usize = 200;
/// Distance of channels.
const CHANNEL: usize = 38;
/// Height of the block's title.
const TITLE: usize = 30;

/// A part of the circuit: an instance, or a memory; equal ones together.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    name: String,
    what: String,
    count: usize,
    is_memory: bool,
}

/// The block with its channels, the parts that it instantiates, and its memories.
pub fn svg(design: &dyn Design) -> String {
    let circuit = design.circuit();
    let parts = parts(&circuit);
    let channels = design.channels();
    let (inputs, outputs): (Vec<_>, Vec<_>) =
        channels.iter().partition(|channel| channel.direction == Direction::Input);
    let rows = parts.len().div_ceil(COLUMNS);
    let width = COLUMNS * (BOX.0 + GAP) + GAP;
    let height =
        TITLE + (rows * (BOX.1 + GAP) + GAP).max(inputs.len().max(outputs.len()) * CHANNEL);
    let whole = (width + 2 * SIDE, height + 2);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"13\" fill=\"currentColor\">\n\
         <title>{} and its parts</title>\n",
        whole.0, whole.1, whole.0, circuit.name
    );
    rectangle(&mut svg, (SIDE, 1), (width, height), 6, "");
    text(
        &mut svg,
        (SIDE + width / 2, 21),
        "middle",
        &format!("<tspan font-weight=\"bold\">{}</tspan>", circuit.name),
    );
    for (index, part) in parts.iter().enumerate() {
        let x = SIDE + GAP + (index % COLUMNS) * (BOX.0 + GAP);
        let y = TITLE + (index / COLUMNS) * (BOX.1 + GAP);
        draw_part(&mut svg, part, (x, y));
    }
    let sides = [(inputs, 0), (outputs, SIDE + width)];
    for (channels, x) in sides {
        for (index, channel) in channels.into_iter().enumerate() {
            draw_channel(&mut svg, channel, (x, TITLE + index * CHANNEL + CHANNEL / 2));
        }
    }
    svg + "</svg>\n"
}

fn parts(circuit: &Module) -> Vec<Part> {
    let instances = circuit.instances.iter().map(|instance| {
        let module = &instance.module.name;
        let own = module.strip_prefix(circuit.name.as_str()).unwrap_or(module);
        (instance.name.clone(), own.trim_start_matches('_').to_string(), false)
    });
    let memories = circuit.memories.iter().map(|memory| {
        (memory.name.clone(), format!("{} rows of {} bits", memory.rows, memory.width), true)
    });
    let mut parts: Vec<Part> = Vec::new();
    for (name, what, is_memory) in instances.chain(memories) {
        let together = without_numbers(&name);
        match parts.iter_mut().find(|part| without_numbers(&part.name) == together) {
            Some(part) => part.count += 1,
            None => parts.push(Part { name, what, count: 1, is_memory }),
        }
    }
    parts
}

/// A name with its numbers as `N`, so that `way0_tags` and `way1_tags` are one.
fn without_numbers(name: &str) -> String {
    let mut short = String::new();
    for c in name.chars() {
        match c.is_ascii_digit() {
            false => short.push(c),
            true if !short.ends_with('N') => short.push('N'),
            true => {}
        }
    }
    short
}

fn draw_part(svg: &mut String, part: &Part, (x, y): (usize, usize)) {
    let dashes = if part.is_memory { " stroke-dasharray=\"5 3\"" } else { "" };
    rectangle(svg, (x, y), BOX, 3, dashes);
    let name = match part.count {
        1 => part.name.clone(),
        count => format!("{} × {count}", without_numbers(&part.name)),
    };
    let middle = x + BOX.0 / 2;
    text(svg, (middle, y + 18), "middle", &escaped(&name));
    let what = format!("<tspan font-size=\"11\" opacity=\"0.75\">{}</tspan>", escaped(&part.what));
    text(svg, (middle, y + 35), "middle", &what);
}

/// A channel as an arrow in the direction of its payload, with its width.
fn draw_channel(svg: &mut String, channel: &Channel, (x, y): (usize, usize)) {
    let bits: u32 = channel.fields.iter().map(|field| field.width).sum();
    let (from, to) = (x + 6, x + SIDE - 6);
    let head = format!("M{} {} l-8 -4 v8 z", to, y);
    let _ = writeln!(
        svg,
        "<path d=\"M{from} {y} H{to}\" stroke=\"currentColor\" fill=\"none\"/><path d=\"{head}\"/>"
    );
    let label =
        format!("{} <tspan font-size=\"11\" opacity=\"0.75\">{bits} bits</tspan>", channel.name);
    text(svg, (x + SIDE / 2, y - 6), "middle", &label);
}

fn rectangle(
    svg: &mut String,
    (x, y): (usize, usize),
    (w, h): (usize, usize),
    r: usize,
    more: &str,
) {
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\" fill=\"none\" \
         stroke=\"currentColor\"{more}/>"
    );
}

fn text(svg: &mut String, (x, y): (usize, usize), anchor: &str, content: &str) {
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{content}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_are_one_box_and_every_channel_is_an_arrow() {
        let block = warpsmith_blocks::find("hmg_directory").expect("a block of ours");
        let design = block.configure("tiny", &[]).expect("a preset of its");
        let svg = svg(&*design);
        for channel in design.channels() {
            assert!(svg.contains(&format!(">{} <tspan", channel.name)), "{}", channel.name);
        }
        assert!(parts(&design.circuit()).iter().any(|part| part.count > 1));
    }
}
