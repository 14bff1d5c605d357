//! Designs for emission and lint tests: library parts, memories, forms of expressions, blocks.

use warpsmith_blocks::block::Design;
use warpsmith_rtl::library::stream::Stream;
use warpsmith_rtl::library::{arbiter, fifo, h3, min_tree, one_hot, record, skid_buffer};
use warpsmith_rtl::{Collision, Module, ModuleBuilder, address_bits};

/// Parts, forms that tools might warn about, and every block.
pub fn modules() -> Vec<(String, Module)> {
    let mut modules = Vec::new();
    for width in [1, 8, 65] {
        modules.push((format!("skid_buffer({width})"), skid_buffer::skid_buffer(width)));
    }
    for (width, depth) in [(1, 2), (8, 3), (64, 8), (65, 13)] {
        modules.push((format!("fifo({width}, {depth})"), fifo::fifo(width, depth)));
    }
    for requesters in [1, 2, 3, 8, 65] {
        modules.push((format!("round_robin({requesters})"), arbiter::round_robin(requesters)));
    }
    for count in [1, 2, 3, 8, 13] {
        modules.push((format!("functions of {count}"), functions(count)));
    }
    modules.push(("relay".to_string(), relay()));
    for collision in [Collision::ReadFirst, Collision::WriteFirst, Collision::Undefined] {
        for (rows, width, lanes) in [(2, 1, 1), (5, 12, 3), (16, 66, 66)] {
            let what = format!("memory({rows}, {width}, {lanes}, {collision:?})");
            modules.push((what, memory(rows, width, lanes, collision)));
        }
    }
    for (rows, width) in [(2, 1), (5, 12), (16, 66)] {
        let what = format!("memory_without_clock({rows}, {width})");
        modules.push((what, memory_without_clock(rows, width)));
    }
    modules.push(("leftovers".to_string(), leftovers()));
    modules.push(("expressions".to_string(), expressions()));
    modules.extend(designs().into_iter().map(|(what, design)| (what, design.circuit())));
    modules
}

/// Every block at every preset, and some blocks with unusual parameters.
fn designs() -> Vec<(String, Box<dyn Design>)> {
    let mut designs = Vec::new();
    let mut add = |block: &str, preset: &str, settings: &str| {
        let table: toml::Table = settings.parse().expect("settings are TOML");
        let settings_list: Vec<_> = table.into_iter().collect();
        let block = warpsmith_blocks::find(block).expect("a block");
        let what = format!("{} {preset} {}", block.name, settings.replace('\n', " "));
        let design = block.configure(preset, &settings_list);
        designs.push((what.clone(), design.unwrap_or_else(|error| panic!("{what}: {error}"))));
    };
    for block in warpsmith_blocks::all() {
        for preset in block.presets() {
            add(block.name, preset, "");
        }
    }
    for settings in [
        "ways = 1",
        "ways = 1\nreplacement = 'tree_plru'",
        "ways = 1\nreplacement = 'round_robin'",
        "ways = 3",
        "ways = 3\nreplacement = 'round_robin'",
        "ways = 12",
        "ways = 12\nreplacement = 'round_robin'\nhierarchical = false",
        "ways = 2\nreplacement = 'tree_plru'",
        "ways = 8\nreplacement = 'tree_plru'\nhierarchical = false",
        "ways = 16\nreplacement = 'tree_plru'",
        "hierarchical = false",
        "lines_per_entry = 1",
        "lines_per_entry = 1\nhierarchical = false\nways = 1",
        "gpms_per_gpu = 1\ngpus = 2",
        "gpms_per_gpu = 1\ngpus = 5",
        "gpms_per_gpu = 1\ngpus = 2\nhierarchical = false",
        "gpms_per_gpu = 2\ngpus = 1",
        "gpms_per_gpu = 4\ngpus = 1",
        "gpms_per_gpu = 4\ngpus = 1\nhierarchical = false",
        "gpms_per_gpu = 2\ngpus = 2",
        "gpms_per_gpu = 1\ngpus = 2\nways = 1\nlines_per_entry = 1\nline_bytes = 4",
        "gpms_per_gpu = 32\ngpus = 32",
        "address_bits = 64",
    ] {
        let preset = if settings.contains("address") { "fpga" } else { "tiny" };
        add("hmg_directory", preset, settings);
    }
    designs
}

/// All combinational parts in one module.
fn functions(count: u32) -> Module {
    let m = ModuleBuilder::new(&format!("functions_of_{count}"));
    let index = m.input("index", address_bits(count));
    let requests = m.input("requests", count);
    let values: Vec<_> = (0..count).map(|i| m.input(&format!("value_{i}"), 5)).collect();
    let decoded = m.output("decoded", one_hot::decode(index, count));
    m.output("encoded", one_hot::encode(requests));
    m.output("selected", one_hot::select(decoded, &values));
    m.output("lowest", arbiter::priority(requests));
    m.output("any", one_hot::any_of(&m, requests.to_bits()));
    let (value, position) = min_tree::minimum(&values);
    m.output("smallest", value);
    m.output("position", position);
    m.output("hash", h3::H3::new(count, 6, 3).circuit(requests));
    m.finish()
}

fn relay() -> Module {
    let m = ModuleBuilder::new("relay");
    let fields = record::Fields::new().with("kind", 3, "What it is.").with("body", 70, "The rest.");
    let input = Stream::input(&m, "from", &fields);
    let buffered = skid_buffer::buffer(&m, "first", input);
    fifo::buffer(&m, "second", buffered, 3).output(&m, "to");
    m.finish()
}

/// A memory with two write ports, one of them with lanes, and two read ports.
pub fn memory(rows: u32, width: u32, lanes: u32, collision: Collision) -> Module {
    let m = ModuleBuilder::new("memory_user");
    let memory = m.memory("ram", rows, width, lanes, collision).doc("What is kept.");
    let (data, row) = (m.input("data", width), m.input("row", address_bits(rows)));
    let (write, read) = (m.input("write", 1), m.input("read", 1));
    memory.write(write, row, data);
    memory.write_lanes(read, !row, !data, m.input("lanes", lanes));
    m.output("first", memory.read("first_data", read, row));
    m.output("second", memory.read("second_data", m.lit(1, 1), !row));
    m.finish()
}

fn memory_without_clock(rows: u32, width: u32) -> Module {
    let m = ModuleBuilder::new("row_user");
    let memory = m.memory("ram", rows, width, 1, Collision::ReadFirst);
    let row = m.input("row", address_bits(rows));
    memory.write(m.input("write", 1), row, m.input("data", width));
    m.output("now", memory.read_without_clock("row_now", row));
    m.finish()
}

/// Unread inputs, instance outputs and bits, and wires with constant conditions.
fn leftovers() -> Module {
    let m = ModuleBuilder::new("leftovers");
    let (a, b) = (m.input("a", 8), m.input("b", 1));
    m.input("unread", 4);
    m.output("part", a.slice(2..5));
    let low = (a + 3).named("low_of_sum");
    m.output("low", low.truncate(4));
    let arbiter = arbiter::round_robin(2);
    m.instance("dropped", &arbiter, &[("requests", a.slice(0..2)), ("advance", b)]);
    let decided = m.wire("decided", 3);
    decided.set(0);
    m.when(m.lit(1, 1), || decided.set(5));
    m.output("constant", *decided);
    let twice = m.wire("twice", 3);
    twice.set(1);
    twice.set(a.truncate(3));
    m.output("last", *twice);
    let held = m.reg_without_reset("held", 2);
    m.when(b, || held.set(a.slice(6..8)));
    m.output("kept", *held);
    let never = m.reg("never_written", 2, 1);
    m.output("constant_register", *never);
    m.assert("reads_more", a.ne(b.repeat(8)) | (*held).eq(*never), "Only this reads some bits.");
    m.cover("seen", b, "It is seen.");
    m.assume("given", !b | a.any(), "It is given.");
    m.finish()
}

/// Forms of expressions that tools might warn about.
fn expressions() -> Module {
    let m = ModuleBuilder::new("shapes");
    let (a, b, bit) = (m.input("a", 7), m.input("b", 7), m.input("one", 1));
    let by = m.input("by", 40);
    m.output("reduced", m.concat(&[(!a).parity(), (!a).any(), (!!a).all(), !a.parity()]));
    m.output("shifted", m.concat(&[a.shift_left(by), a.shift_right(by), a.shift_right_signed(by)]));
    m.output("far_away", a.shift_left(m.lit(40, 1 << 39)) | a.shift_right(m.lit(3, 7)));
    m.output(
        "shifted_bit",
        m.concat(&[bit.shift_left(b), bit.shift_right(b), bit.shift_right_signed(b)]),
    );
    m.output(
        "extremes",
        m.concat(&[
            a.lt(127),
            a.le(126),
            a.lt(1),
            a.gt(126),
            a.ge(127),
            a.lt(0),
            a.ge(0),
            a.le(127),
            a.gt(127),
        ]),
    );
    m.output(
        "signed_extremes",
        m.concat(&[
            a.lt_signed(64),
            a.le_signed(63),
            a.le_signed(64),
            a.lt_signed(127),
            a.lt_signed(0),
        ]),
    );
    m.output(
        "one_bit",
        m.concat(&[
            bit.lt(a.bit(0)),
            bit.le(a.bit(1)),
            bit.lt_signed(a.bit(2)),
            bit.le_signed(0),
            bit.eq(a.bit(3)),
            bit + a.bit(4),
            bit - a.bit(5),
            bit * a.bit(6),
        ]),
    );
    m.output("signs", a.sign_extend(40) + b.zero_extend(40) + bit.sign_extend(40));
    m.output("carry", a.add_with_carry(b));
    m.output(
        "bits_of_expressions",
        m.concat(&[(a + b).bit(6), (a - b).bit(0), a.repeat(3).bit(20)]),
    );
    m.output("masked", a & b.eq(3).repeat(7));
    m.output("chosen", bit.mux(a * b, (!bit).mux(a, b)));
    m.output("square", a.zero_extend(14) * a.zero_extend(14));
    m.finish()
}
