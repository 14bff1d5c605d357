//! `warpsmith show`

use std::process::ExitCode;

use serde::Serialize;
use warpsmith_blocks::channel::{Direction, Handshake};
use warpsmith_blocks::parameters::ParameterInfo;
use warpsmith_rtl::netlist::Netlist;

use super::design::{DesignArgs, no_block};
use super::{Outcome, UserError, say, say_json};
use crate::gpu::config::{Config, PRESETS};
use crate::gpu::memory::list_of_places;
use crate::gpu::systems::System;
use crate::report::{heading, table, thousands};

#[derive(Serialize)]
struct Shown {
    name: &'static str,
    summary: &'static str,
    paper: &'static str,
    presets: Vec<&'static str>,
    parameters: Vec<Parameter>,
    channels: Vec<Channel>,
    ports: Vec<Port>,
    storage: Storage,
    corners: Vec<&'static str>,
    streams: Vec<(&'static str, &'static str)>,
}

#[derive(Serialize)]
struct Parameter {
    value: toml::Value,
    #[serde(flatten)]
    info: ParameterInfo,
}

#[derive(Serialize)]
struct Channel {
    name: &'static str,
    direction: &'static str,
    handshake: &'static str,
    judgement: Option<&'static str>,
    doc: &'static str,
}

#[derive(Serialize)]
struct Port {
    name: String,
    direction: &'static str,
    width: u32,
    doc: String,
}

#[derive(Serialize)]
struct Storage {
    register_bits: u64,
    memory_bits: u64,
    memories: Vec<(String, u32, u32)>,
}

/// A memory system.
#[derive(Serialize)]
struct ShownSystem {
    name: &'static str,
    about: &'static str,
    machines: Vec<MachinePlaces>,
    planted_errors: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<String>,
}

#[derive(Serialize)]
struct MachinePlaces {
    machine: &'static str,
    places: Vec<String>,
}

fn show_system(system: System, json: bool) -> Outcome {
    let mut machines = Vec::new();
    for (machine, _) in PRESETS {
        let config = Config::preset(machine)?;
        if (system.fits)(&config).is_ok() {
            machines.push(MachinePlaces { machine, places: (system.places)(&config) });
        }
    }
    let tables = system.tables.map(|tables| tables());
    let planted_errors = system.errors.iter().map(|error| error.name).collect();
    let (name, about) = (system.name, system.about);
    let shown = ShownSystem { name, about, machines, planted_errors, tables };
    if json {
        say_json(&shown)?;
        return Ok(ExitCode::SUCCESS);
    }
    say(format!("{}, a memory system of `warpsmith run`: {}", shown.name, shown.about));
    say(heading("Places for the RTL of blocks (--rtl), by machine"));
    for MachinePlaces { machine, places } in shown.machines {
        let places = if places.is_empty() { "none".to_string() } else { list_of_places(&places) };
        say(format!("{machine}: {places}"));
    }
    say(heading("Errors that tests plant"));
    say(match &shown.planted_errors[..] {
        [] => "none".to_string(),
        errors => errors.join(", "),
    });
    if let Some(tables) = shown.tables {
        say(heading("Protocol"));
        say(tables);
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) fn run(args: &DesignArgs, json: bool) -> Outcome {
    if let Some(system) = System::named(&args.block) {
        return show_system(system, json);
    }
    if warpsmith_blocks::find(&args.block).is_none() {
        let systems: Vec<_> = System::known().map(|system| system.name).collect();
        let systems = systems.join(", ");
        let message = format!("{}; memory systems are: {systems}", no_block(&args.block));
        return Err(UserError::new(message));
    }
    let (block, design) = (args.block()?, args.design()?);
    let circuit = design.circuit();
    let storage = Netlist::flatten(&circuit)?.storage();
    let mut values = design.params();
    let parameters = block.parameters().into_iter().map(|info| Parameter {
        value: values.remove(info.name).expect("every parameter has a value"),
        info,
    });
    let channels = design.channels().into_iter().map(|channel| Channel {
        name: channel.name,
        direction: direction(channel.direction == Direction::Input),
        handshake: match channel.handshake {
            Handshake::ReadyValid => "ready/valid",
            Handshake::Revocable => "ready/valid, revocable",
            Handshake::ValidOnly => "valid only",
        },
        judgement: (channel.direction == Direction::Output).then(|| channel.judgement.name()),
        doc: channel.doc,
    });
    let port = |node, is_input| {
        let doc = circuit.node(node).doc.clone().unwrap_or_default();
        let name = circuit.port_name(node).to_string();
        Port { name, direction: direction(is_input), width: circuit.node(node).width, doc }
    };
    let inputs = circuit.inputs().map(|node| port(node, true));
    let outputs = circuit.outputs().map(|node| port(node, false));
    let shown = Shown {
        name: block.name,
        summary: block.summary,
        paper: block.paper,
        presets: block.presets(),
        parameters: parameters.collect(),
        channels: channels.collect(),
        ports: inputs.chain(outputs).collect(),
        storage: Storage {
            register_bits: storage.register_bits,
            memory_bits: storage.memory_bits,
            memories: storage.memories,
        },
        corners: block.corners.iter().map(|corner| corner.name).collect(),
        streams: block.streams.iter().map(|stream| (stream.name, stream.doc)).collect(),
    };
    match json {
        true => say_json(&shown)?,
        false => print(&shown, args.name()),
    }
    Ok(ExitCode::SUCCESS)
}

fn direction(is_input: bool) -> &'static str {
    if is_input { "input" } else { "output" }
}

fn print(shown: &Shown, preset: &str) {
    say(format!("{} ({preset})\n{}\n{}", shown.name, shown.summary, shown.paper));
    say(heading("Parameters"));
    let rows = shown.parameters.iter().map(|p| {
        let value = p.value.to_string();
        [p.info.name.to_string(), value, p.info.accepted.to_string(), p.info.meaning.to_string()]
    });
    say(table(["name", "value", "accepted", "meaning"], rows));
    say(format!("presets: {}", shown.presets.join(", ")));
    say(heading("Channels"));
    let rows = shown.channels.iter().map(|c| {
        let judged = c.judgement.unwrap_or("-");
        [c.name, c.direction, c.handshake, judged, c.doc].map(str::to_string)
    });
    say(table(["name", "direction", "handshake", "judged", "what"], rows));
    say(heading("Ports (beside clk and rst)"));
    let rows = shown
        .ports
        .iter()
        .map(|p| [p.name.clone(), p.direction.to_string(), p.width.to_string(), p.doc.clone()]);
    say(table(["name", "direction", "bits", "what"], rows));
    say(heading("Storage"));
    say(format!(
        "registers {} bits, memories {} bits",
        thousands(shown.storage.register_bits),
        thousands(shown.storage.memory_bits)
    ));
    for (name, rows, width) in &shown.storage.memories {
        say(format!("memory {name}: {rows} rows of {width} bits"));
    }
    say(heading("Streams"));
    let rows = shown.streams.iter().map(|(name, doc)| [*name, *doc].map(str::to_string));
    say(table(["name", "what"], rows));
    say(heading("Corners"));
    shown.corners.iter().for_each(|corner| say(format!("  {corner}")));
}
