//! Generates a rust_hdl component and a top for each block of the registry, at preset `fpga`.

use std::fmt::Write;

use shape::Pin;
use warpsmith_blocks::block::Design;
use warpsmith_blocks::board::{BoardLayout, LOG, QueuePlace};
use warpsmith_blocks::channel::{Channel, Direction};

#[path = "src/shape.rs"]
mod shape;

fn main() {
    let (mut text, mut names) = (String::new(), Vec::new());
    let (mut tops, mut top_names) = (String::new(), Vec::new());
    for block in warpsmith_blocks::all() {
        let design = block.configure("fpga", &[]).expect("every block has the preset");
        let circuit = design.circuit();
        let name = camel_case(block.name);
        let summary = format!("`{}` at preset `fpga`: {}", block.name, block.summary);
        component(&mut text, &name, block.name, &summary, "ports", &shape::ports(&circuit));
        names.push(format!("Box::<{name}>::default()"));
        let by_channel = format!("{summary}; its ports by channel");
        let pins = shape::channels(&*design, &circuit);
        let by_channels = format!("{name}Channels");
        component(&mut text, &by_channels, block.name, &by_channel, "channels", &pins);
        tops += &top(&name, &*design);
        top_names.push(format!("Box::<{name}Top>::default()"));
    }
    text += &list("component", "Component", &names);
    tops += &list("top", "Top", &top_names);
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    for (file, text) in [("components.rs", text), ("tops.rs", tops)] {
        std::fs::write(format!("{out}/{file}"), text).expect("cargo's folder can be written");
    }
    println!("cargo:rerun-if-changed=src/shape.rs");
}

fn list(what: &str, kind: &str, names: &[String]) -> String {
    let names = names.join(", ");
    format!(
        "/// One {what} of every block.\npub fn all() -> Vec<Box<dyn {kind}>> {{ vec![{names}] }}\n"
    )
}

/// Connections of a queue with the host and the block's channel.
fn connections(queue: &QueuePlace, channel: &Channel) -> String {
    let (name, region) = (channel.name, queue.region);
    let ready = match channel.handshake.has_ready() {
        true => format!("self.block.{name}_ready.val()"),
        false => "true".to_string(),
    };
    let slice = match queue.width {
        0 => String::new(),
        1 => {
            format!("self.block.{name}_payload.next = self.queue_{name}.payload.val().get_bit(0);")
        }
        _ => format!("self.block.{name}_payload.next = self.queue_{name}.payload.val();"),
    };
    format!(
        "self.queue_{name}.link_clock.next = self.link_clock.val();
        self.queue_{name}.block_clock.next = self.block_clock.val();
        self.queue_{name}.seek.next = self.host.seek.val();
        self.queue_{name}.row.next = self.host.row.val();
        self.queue_{name}.selected.next = self.host.region.val() == {region};
        self.queue_{name}.write.next = self.host.write.val();
        self.queue_{name}.data.next = self.host.data.val();
        self.queue_{name}.restart.next = self.host.restart.val();
        self.queue_{name}.offers.next = self.host.offers.val();
        self.queue_{name}.cross_end.next = self.host.control.val().get_bits::<10>({end});
        self.queue_{name}.ready.next = {ready};
        self.block.{name}_valid.next = self.queue_{name}.valid.val();
        {slice}\n",
        end = queue.end
    )
}

/// The top of a block: the block with a queue for each input channel, and the host's side.
fn top(name: &str, design: &dyn Design) -> String {
    let layout = BoardLayout::new(design);
    let channels = design.channels();
    let (mut fields, mut defaults, mut code) = (String::new(), String::new(), String::new());
    for queue in &layout.queues {
        let channel = channels[queue.channel].name;
        let (payload, row) = (queue.width.max(2), queue.row_bytes() * 8);
        fields += &format!("queue_{channel}: Queue<{payload}, {row}>,\n");
        defaults += &format!("queue_{channel}: Queue::default(),\n");
        code += &connections(queue, &channels[queue.channel]);
    }
    for channel in channels.iter().filter(|channel| channel.direction == Direction::Output) {
        if channel.handshake.has_ready() {
            code += &format!("self.block.{}_ready.next = self.host.takes.val();\n", channel.name);
        }
    }
    for (strap, (low, width)) in design.straps().iter().zip(&layout.straps) {
        let bits = match width {
            1 => format!("get_bit({low})"),
            _ => format!("get_bits::<{width}>({low})"),
        };
        code += &format!("self.block.{}.next = self.host.control.val().{bits};\n", strap.name);
    }
    let (control, event, log) = (layout.control_bits, layout.event_bits, layout.row_bytes() * 8);
    let (block, identification) = (design.name(), layout.identification);
    // A region beyond the queues is the log.
    assert!(layout.queues.len() < LOG.into());
    format!(
        "/// The top of `{block}`.
        #[derive(LogicBlock)]
        pub struct {name}Top {{
            /// The board's clock.
            pub link_clock: Signal<In, Clock>,
            /// The block's clock.
            pub block_clock: Signal<In, Clock>,
            /// Clocks of a bit on the line.
            pub bit_clocks: Signal<In, Bits<8>>,
            /// UART from the host.
            pub rx: Signal<In, Bit>,
            /// UART to the host.
            pub tx: Signal<Out, Bit>,
            /// SPI: select, low while a byte is exchanged.
            pub spi_select: Signal<In, Bit>,
            /// SPI: the host's clock.
            pub spi_clock: Signal<In, Bit>,
            /// SPI from the host.
            pub mosi: Signal<In, Bit>,
            /// SPI to the host.
            pub miso: Signal<Out, Bit>,
            host: Host<{control}, {event}, {log}>,
            {fields}
            block: {name}Channels,
            identification: Constant<Bits<64>>,
        }}
        impl Default for {name}Top {{
            fn default() -> Self {{
                Self {{
                    link_clock: Signal::default(),
                    block_clock: Signal::default(),
                    bit_clocks: Signal::default(),
                    rx: Signal::default(),
                    tx: Signal::default(),
                    spi_select: Signal::default(),
                    spi_clock: Signal::default(),
                    mosi: Signal::default(),
                    miso: Signal::default(),
                    host: Host::default(),
                    {defaults}
                    block: {name}Channels::default(),
                    identification: Constant::new({identification}_u64.into()),
                }}
            }}
        }}
        impl Logic for {name}Top {{
            #[hdl_gen]
            fn update(&mut self) {{
                self.host.link_clock.next = self.link_clock.val();
                self.host.block_clock.next = self.block_clock.val();
                self.host.bit_clocks.next = self.bit_clocks.val();
                self.host.rx.next = self.rx.val();
                self.tx.next = self.host.tx.val();
                self.host.spi_select.next = self.spi_select.val();
                self.host.spi_clock.next = self.spi_clock.val();
                self.host.mosi.next = self.mosi.val();
                self.miso.next = self.host.miso.val();
                self.host.identification.next = self.identification.val();
                self.host.transfers.next = self.block.transfers.val();
                self.host.happens.next = self.block.happens.val();
                self.block.clk.next = self.block_clock.val();
                self.block.rst.next = self.host.restart.val();
                {code}
            }}
        }}
        top! {{ {name}Top = \"{block}\" }}\n"
    )
}

fn component(text: &mut String, name: &str, block: &str, doc: &str, kind: &str, pins: &[Pin]) {
    let pin = |(index, pin): (usize, &Pin)| {
        let kind = match pin.width() {
            1 => "Bit".to_string(),
            width => format!("Bits<{width}>"),
        };
        let parts = pin.parts.iter().map(|part| part.port.as_str()).collect::<Vec<_>>().join(", ");
        // A pin that is made of others has no port of its own.
        let doc = if parts.is_empty() { &pin.name } else { &parts };
        format!("{doc:?} {}: {kind} = {index};", pin.name)
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
