//! golden
use warpsmith_rtl::*;
fn traffic() -> Module {
    let m = ModuleBuilder::new("queue_head");
    m.describe("A head of a queue: it fetches a row, then offers it\nuntil it is taken.");
    let [idle, fetch, offer] = m.states("state", ["idle", "fetch", "offer"]);
    let start = m.input("start", 1).doc("Fetch the next row.");
    let taken = m.input("taken", 1);
    let requests = m.input("requests", 2);
    let state = m.reg("state", 2, 0);
    let row = m.reg("row", 3, 0).doc("Row of the next fetch.");
    let stale = m.reg_without_reset("stale", 1);
    let rows = m.memory("rows", 5, 8, 2, Collision::WriteFirst).doc("What is queued.");
    let data = rows.read("data", (*state).eq(fetch), *row);
    rows.write_lanes(m.input("fill", 1), m.input("fill_row", 3), m.input("fill_data", 8), m.input("fill_lanes", 2));
    m.switch(*state, |s| {
        s.case(idle, || { m.when(start, || state.set(fetch)); });
        s.case(fetch, || state.set(offer));
        s.default(|| {
            m.when(taken & row.lt(4), || { state.set(idle); row.set(*row + 1); })
                .otherwise_when(taken, || { state.set(idle); row.set(0); })
                .otherwise(|| stale.set(1));
        });
    });
    let urgency = m.wire("urgency", 2).doc("How much it matters.");
    urgency.set(0);
    m.when(*stale, || urgency.set(data.slice(0..2)));
    let arbiter = m.instance("arbiter", &library::arbiter::round_robin(2), &[("requests", requests), ("advance", taken)]);
    m.output("offered", (*state).eq(offer));
    m.output("low", data.truncate(4) ^ (*urgency).zero_extend(4)).doc("The low half.");
    m.output("granted", arbiter.output("grant").bit(0));
    m.assert("row_exists", row.le(4), "The row is one of five.");
    m.assume("no_haste", !(taken & start), "Nobody takes while starting.");
    m.cover("wraps", (*row).eq(4) & taken, "The last row is taken.");
    m.finish()
}
#[test] fn show() { for f in verilog::emit(&traffic(), &verilog::EmitOptions{black_box_memories_above: None}).unwrap() { println!("{}", f.text); }
 println!("{}", verilog::emit(&traffic(), &verilog::EmitOptions{black_box_memories_above: Some(0)}).unwrap()[1].text);}
