//! Generates a rust_hdl component for each block of the registry, at preset `fpga`.

use std::fmt::Write;

use shape::Pin;

#[path = "src/shape.rs"]
#[allow(dead_code)]
mod shape;

fn main() {
    let (mut text, mut names) = (String::new(), Vec::new());
    for block in warpsmith_blocks::all() {
        let design = block.configure("fpga", &[]).expect("every block has the preset");
        let circuit = design.circuit();
        let name = camel_case(block.name);
        let summary = format!("`{}` at preset `fpga`: {}", block.name, block.summary);
        component(&mut text, &name, block.name, &summary, "ports", &shape::ports(&circuit));
        names.push(format!("Box::<{name}>::default()"));
        let by_channel = format!("{summary}; its ports by channel");
        let pins = shape::channels(&*design, &circuit);
        let name = format!("{name}Channels");
        component(&mut text, &name, block.name, &by_channel, "channels", &pins);
    }
    writeln!(
        text,
        "/// One component of every block.\npub fn all() -> Vec<Box<dyn Component>> {{ vec![{}] }}",
        names.join(", ")
    )
    .expect("a string takes any text");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(format!("{out}/components.rs"), text).expect("cargo's folder can be written");
    println!("cargo:rerun-if-changed=src/shape.rs");
}

fn component(text: &mut String, name: &str, block: &str, doc: &str, kind: &str, pins: &[Pin]) {
    let pin = |(index, pin): (usize, &Pin)| {
        let kind = match pin.width() {
            1 => "Bit".to_string(),
            width => format!("Bits<{width}>"),
        };
        let parts: Vec<_> = pin.parts.iter().map(|part| part.port.as_str()).collect();
        format!("{:?} {}: {kind} = {index};", parts.join(", "), pin.name)
    };
    let side = |is_input| {
        let pins = pins.iter().enumerate().filter(|(_, pin)| pin.is_input == is_input);
        pins.map(pin).collect::<Vec<_>>().join("\n    ")
    };
    writeln!(
        text,
        "component! {{ {doc:?} {name} = {block:?} {kind};\n  inputs {{\n    {}\n  }}\n  outputs {{\n    {}\n  }}\n}}",
        side(true),
        side(false)
    )
    .expect("a string takes any text");
}

fn camel_case(name: &str) -> String {
    let word = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('_').map(word).collect()
}
