//! The examples do what they assert.

#[path = "../examples/block_in_kernel.rs"]
mod block_in_kernel;
#[path = "../examples/builder.rs"]
mod builder;
#[path = "../examples/own_block/main.rs"]
mod own_block;

#[test]
fn a_circuit_is_built_emitted_and_simulated() {
    builder::main().unwrap();
}

#[test]
fn a_block_of_one_s_own_is_co_simulated() {
    own_block::main().unwrap();
}

#[test]
fn a_block_runs_inside_a_kernel() {
    block_in_kernel::main().unwrap();
}
