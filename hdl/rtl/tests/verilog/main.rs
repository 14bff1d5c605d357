//! The text that is emitted: golden for a small module, and what constants decide.

mod expressions;

use warpsmith_rtl::library::arbiter::round_robin;
use warpsmith_rtl::verilog::{EmitError, EmitOptions, emit, innermost_first};
use warpsmith_rtl::{Collision, Module, ModuleBuilder};

/// One of everything: states, when, switch, memory, instance, properties, unused bits.
fn queue_head() -> Module {
    let m = ModuleBuilder::new("queue_head");
    m.describe("The head of a queue: it fetches a row,\nthen offers it until it is taken.");
    let [idle, fetch, _offer] = m.states("state", ["idle", "fetch", "offer"]);
    let start = m.input("start", 1).doc("Fetch the next row.");
    let (taken, requests) = (m.input("taken", 1), m.input("requests", 2));
    let state = m.reg("state", 2, 0);
    let row = m.reg("row", 3, 0).doc("Row of the next fetch.");
    let late = m.reg_without_reset("late", 1);

    let rows = m.memory("rows", 5, 8, 2, Collision::WriteFirst).doc("What is queued.");
    let fill = m.input("fill", 1);
    let fill_row = m.input("fill_row", 3);
    let fill_data = m.input("fill_data", 8);
    rows.write_lanes(fill, fill_row, fill_data, m.input("fill_lanes", 2));
    let data = rows.read("data", state.eq(fetch), *row);

    m.switch(*state, |s| {
        s.case(idle, || {
            m.when(start, || state.set(fetch));
        });
        s.case(fetch, || state.set(2));
        s.default(|| {
            m.when(taken, || {
                state.set(idle);
                row.set(row.eq(4).mux(m.lit(3, 0), *row + 1));
            })
            .otherwise(|| late.set(1));
        });
    });

    let urgency = m.wire("urgency", 2).doc("How much it matters.");
    urgency.set(0);
    m.when(*late, || urgency.set(data.slice(0..2)));
    let inputs = [("requests", requests), ("advance", taken)];
    let arbiter = m.instance("arbiter", &round_robin(2), &inputs);
    m.output("low", data.truncate(4) ^ urgency.zero_extend(4)).doc("The low half.");
    m.output("granted", arbiter.output("grant").bit(0));

    let in_range = row.le(4).named("in_range");
    m.assert("row_exists", in_range, "The row is one of five.");
    m.assume("no_haste", !(taken & start), "Nobody takes while starting.");
    m.cover("wraps", row.eq(4) & taken, "The last row is taken.");
    m.finish()
}

fn text(module: &Module, name: &str, options: &EmitOptions) -> String {
    let files = emit(module, options).expect("no two modules of one name");
    let file = files.into_iter().find(|file| file.module == name);
    file.unwrap_or_else(|| panic!("no module {name}")).text
}

const QUEUE_HEAD: &str = "\
`default_nettype none
// The head of a queue: it fetches a row,
// then offers it until it is taken.
module queue_head (
    input  wire clk,
    input  wire rst,
    input  wire start,  // Fetch the next row.
    input  wire taken,
    input  wire [1:0] requests,
    input  wire fill,
    input  wire [2:0] fill_row,
    input  wire [7:0] fill_data,
    input  wire [1:0] fill_lanes,
    output wire [3:0] low,  // The low half.
    output wire granted
);
    localparam [1:0] STATE_IDLE = 2'd0;
    localparam [1:0] STATE_FETCH = 2'd1;
    reg [1:0] state;
    // Row of the next fetch.
    reg [2:0] row;
    reg late;
    wire [7:0] data;
    // What is queued.
    queue_head_rows rows (
        .clk(clk),
        .w0_enable(fill),
        .w0_address(fill_row),
        .w0_data(fill_data),
        .w0_lanes(fill_lanes),
        .r0_enable(state == STATE_FETCH),
        .r0_address(row),
        .r0_data(data)
    );
    always @(posedge clk) begin
        case (state)
            STATE_IDLE: begin
                if (start) begin
                    state <= STATE_FETCH;
                end
            end
            STATE_FETCH: begin
                state <= 2'd2;
            end
            default: begin
                if (taken) begin
                    state <= STATE_IDLE;
                end
            end
        endcase
        if (rst) begin
            state <= 2'd0;
        end
    end
    always @(posedge clk) begin
        case (state)
            STATE_IDLE: begin
            end
            STATE_FETCH: begin
            end
            default: begin
                if (taken) begin
                    row <= (row == 3'd4) ? 3'd0 : (row + 3'd1);
                end
            end
        endcase
        if (rst) begin
            row <= 3'd0;
        end
    end
    always @(posedge clk) begin
        case (state)
            STATE_IDLE: begin
            end
            STATE_FETCH: begin
            end
            default: begin
                if (!taken) begin
                    late <= 1'b1;
                end
            end
        endcase
    end
    // How much it matters.
    reg [1:0] urgency;
    always @* begin
        urgency = 2'd0;
        if (late) begin
            urgency = data[1:0];
        end
    end
    wire [1:0] arbiter_grant;
    round_robin_arbiter_n2 arbiter (
        .clk(clk),
        .rst(rst),
        .requests(requests),
        .advance(taken),
        .grant(arbiter_grant)
    );
    assign low = data[3:0] ^ {2'd0, urgency};
    assign granted = arbiter_grant[0];
    wire _unused = &{1'b0, data[7:4], arbiter_grant[1]};
`ifdef FORMAL
    wire in_range = row <= 3'd4;
    initial assume (rst);
    // The row is one of five.
    always @(posedge clk) begin
        if (!rst) row_exists: assert (in_range);
    end
    // Nobody takes while starting.
    always @(posedge clk) begin
        if (!rst) no_haste: assume (~(taken & start));
    end
    // The last row is taken.
    always @(posedge clk) begin
        if (!rst) wraps: cover ((row == 3'd4) & taken);
    end
`endif
endmodule
`default_nettype wire
";

const ROWS: &str = "\
`default_nettype none
// What is queued.
// 5 rows of 8 bits. Reads take one clock; reading a row
// that is written at the same edge gives the content after the write.
module queue_head_rows (
    input  wire clk,
    input  wire w0_enable,
    input  wire [2:0] w0_address,
    input  wire [7:0] w0_data,
    input  wire [1:0] w0_lanes,
    input  wire r0_enable,
    input  wire [2:0] r0_address,
    output reg  [7:0] r0_data
);
    reg [7:0] _rows [0:4];

    always @(posedge clk) begin
        if (w0_enable && w0_lanes[0]) begin
            _rows[w0_address][3:0] <= w0_data[3:0];
        end
        if (w0_enable && w0_lanes[1]) begin
            _rows[w0_address][7:4] <= w0_data[7:4];
        end
    end

    always @(posedge clk) begin
        if (r0_enable) begin
            r0_data <= _rows[r0_address];
            if (w0_enable && w0_address == r0_address && w0_lanes[0]) begin
                r0_data[3:0] <= w0_data[3:0];
            end
            if (w0_enable && w0_address == r0_address && w0_lanes[1]) begin
                r0_data[7:4] <= w0_data[7:4];
            end
        end
    end
endmodule
`default_nettype wire
";

const EMPTY_ROWS: &str = "\
`default_nettype none
// What is queued.
// 5 rows of 8 bits. Reads take one clock; reading a row
// that is written at the same edge gives the content after the write.
(* blackbox *)
module queue_head_rows (
    input  wire clk,
    input  wire w0_enable,
    input  wire [2:0] w0_address,
    input  wire [7:0] w0_data,
    input  wire [1:0] w0_lanes,
    input  wire r0_enable,
    input  wire [2:0] r0_address,
    output reg  [7:0] r0_data
);
endmodule
`default_nettype wire
";

#[test]
fn a_module_reads_as_it_was_written() {
    assert_eq!(text(&queue_head(), "queue_head", &EmitOptions::default()), QUEUE_HEAD);
}

#[test]
fn a_memory_is_a_module_of_its_own() {
    assert_eq!(text(&queue_head(), "queue_head_rows", &EmitOptions::default()), ROWS);
}

#[test]
fn a_memory_above_the_limit_is_an_empty_module_with_the_same_ports() {
    let black_box_above =
        |bits| EmitOptions { black_box_memories_above: Some(bits), ..EmitOptions::default() };
    let empty = text(&queue_head(), "queue_head_rows", &black_box_above(39));
    assert_eq!(empty, EMPTY_ROWS);
    // Five rows of eight bits are not more than forty.
    assert_eq!(text(&queue_head(), "queue_head_rows", &black_box_above(40)), ROWS);
    // The module around it does not change.
    assert_eq!(text(&queue_head(), "queue_head", &black_box_above(0)), QUEUE_HEAD);
}

#[test]
fn the_top_module_comes_first_and_the_others_by_name() {
    let files = emit(&queue_head(), &EmitOptions::default()).expect("no two modules of one name");
    let names: Vec<_> = files.iter().map(|file| file.file_name()).collect();
    assert_eq!(names, ["queue_head.v", "queue_head_rows.v", "round_robin_arbiter_n2.v"]);
}

#[test]
fn two_different_modules_of_one_name_are_refused() {
    let inner = |width| {
        let m = ModuleBuilder::new("inner");
        m.output("q", m.input("d", width));
        m.finish()
    };
    let outer = |widths: [u32; 2]| {
        let m = ModuleBuilder::new("outer");
        for (i, width) in (0..).zip(widths) {
            let d = m.input(&format!("d_{i}"), width);
            m.instance(&format!("u_{i}"), &inner(width), &[("d", d)]);
        }
        emit(&m.finish(), &EmitOptions::default())
    };
    assert_eq!(outer([3, 4]), Err(EmitError::NameClash("inner".to_string())));
    assert!(outer([3, 4]).unwrap_err().to_string().contains("both named `inner`"));
    // Built twice, but the same: one file.
    assert_eq!(outer([3, 3]).expect("one module `inner`").len(), 2);
    // A memory's module has a name too.
    let m = ModuleBuilder::new("top");
    let memory = m.memory("ram", 4, 4, 1, Collision::ReadFirst);
    m.output("q", memory.read("data", m.input("read", 1), m.input("row", 2)));
    let clash = ModuleBuilder::new("top_ram");
    clash.output("q", clash.input("d", 1));
    m.instance("u", &clash.finish(), &[("d", m.input("d", 1))]);
    let clash = emit(&m.finish(), &EmitOptions::default());
    assert_eq!(clash, Err(EmitError::NameClash("top_ram".to_string())));
}

#[test]
fn a_prefix_stands_before_the_name_of_every_module() {
    let options = EmitOptions { prefix: "left_".to_string(), ..EmitOptions::default() };
    let files = emit(&queue_head(), &options).expect("a good prefix");
    let plain = emit(&queue_head(), &EmitOptions::default()).expect("no prefix");
    assert_eq!(files.len(), plain.len());
    for (file, plain) in files.iter().zip(&plain) {
        assert_eq!(file.module, format!("left_{}", plain.module));
        // Nothing else differs: ports, signals and instances keep their names.
        let mut expected = plain.text.replace("module ", "module left_");
        for module in ["queue_head_rows", "round_robin_arbiter_n2"] {
            expected =
                expected.replace(&format!("\n    {module} "), &format!("\n    left_{module} "));
        }
        assert_eq!(file.text, expected);
    }
}

#[test]
fn a_prefix_that_cannot_be_is_refused() {
    let with = |prefix: &str| {
        let m = ModuleBuilder::new("head");
        m.output("q", m.input("over_head", 1));
        emit(&m.finish(), &EmitOptions { prefix: prefix.to_string(), ..EmitOptions::default() })
    };
    assert!(with("a").is_ok() && with("Gpu0__").is_ok() && with(&"p".repeat(64)).is_ok());
    for prefix in ["0a", "_a", "a-", "a.b", "\u{e9}", " ", "wire", "class", &"p".repeat(65)] {
        assert_eq!(with(prefix), Err(EmitError::Prefix(prefix.to_string())));
    }
    assert_eq!(with("over_"), Err(EmitError::PrefixClash("over_head".to_string())));
}

#[test]
fn modules_are_listed_after_those_in_them() {
    let order = ["queue_head_rows", "round_robin_arbiter_n2", "queue_head"];
    let mut listed = innermost_first(&queue_head());
    assert_eq!(listed.pop().as_deref(), Some(order[2]));
    listed.sort();
    assert_eq!(listed, order[..2]);
}

#[test]
fn a_header_is_a_comment_before_all_else_and_long_lines_are_broken() {
    let header = format!("Made by hand\n{}", "word ".repeat(40).trim_end());
    let options = EmitOptions { header, ..EmitOptions::default() };
    let text = text(&queue_head(), "queue_head", &options);
    assert!(text.starts_with("// Made by hand\n// word word"), "{text}");
    assert_eq!(text.lines().take_while(|line| line.starts_with("// ")).count(), 4);
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
}

#[test]
fn lines_are_broken_wherever_an_expression_stands() {
    let m = ModuleBuilder::new("wide");
    let inner = ModuleBuilder::new("inner");
    inner.output("q", inner.input("d", 1));
    let name = |i: usize| format!("an_operand_with_a_rather_long_name_{i}");
    let all: Vec<_> = (0..6).map(|i| m.input(&name(i), 1)).collect();
    let any = |not: usize| all.iter().enumerate().fold(!all[not], |any, (_, one)| any | *one);
    let held = m.reg("held", 1, 0);
    m.when(any(0), || held.set(0)).otherwise_when(any(1), || held.set(any(2)));
    m.assert("a_property", any(3), &"of many words ".repeat(12));
    let u = m.instance("u", &inner.finish(), &[("d", any(4))]);
    m.output("value", *held & u.output("q")).doc(&"which is told at length ".repeat(8));
    let text = text(&m.finish(), "wide", &EmitOptions::default());
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    assert!(
        text.contains("if (\n") && text.contains("assert (\n") && text.contains(".d(\n"),
        "{text}"
    );
}
