//! Rules of the thesis that are unsound, and programs that it excludes.

use warpsmith::gpu::config::{BarrierRule, Config, SharedOrder};
use warpsmith::gpu::determinism::{FinalState, OnMachine, Program};
use warpsmith::gpu::isa::Module;
use warpsmith::gpu::machine::{Launch, Machine};
use warpsmith::gpu::memory::{Device, System};
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::gpudet::{GPUDET, NONDET};

/// Number of words of the buffer.
const WORDS: usize = 64;

/// A kernel and its launch. Its body has a buffer in `%d0`, the thread's number in `%r0` and the address of its word in `%d1`.
struct Prepared {
    image: Image,
    device: Device,
    buffer: u64,
    launch: Launch,
}

fn prepare(body: &str, grid: u32) -> Prepared {
    let text = format!(
        ".version 7.8\n.target sm_70\n.address_size 64\n.visible .entry kernel(.param .u64 buffer) {{
        .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .pred %p<4>; .shared .align 4 .b8 words[256];
        ld.param.u64 %d0, [buffer]; mov.u32 %r0, %tid.x; mul.wide.u32 %d1, %r0, 4; add.u64 %d1, %d0, %d1;
        {body}
        ret; }}"
    );
    let module = Module::parse("kernel.ptx", &text).unwrap_or_else(|error| panic!("{error}"));
    let image = Image::new(module.lower(["kernel"]).expect("a kernel"));
    let mut device = Device::default();
    device.allocate("the variables of the module", 0);
    let buffer = device.allocate("buffer", 4 * WORDS);
    let launch = Launch {
        grid: [grid, 1, 1],
        block: [64, 1, 1],
        parameters: buffer.to_le_bytes().to_vec(),
        resident: 4,
        watchdog: 20_000,
        ..Launch::default()
    };
    Prepared { image, device, buffer, launch }
}

/// The final state of a kernel, and the address of its buffer.
fn run(body: &str, grid: u32, config: &Config, system: System, seed: u64) -> (FinalState, u64) {
    let Prepared { image, device, buffer, launch } = prepare(body, grid);
    let launches = [(&image.program.kernels[0], launch)];
    let program = Program { image: &image, launches: &launches, device: &device, constants: &[] };
    let state = program.run(OnMachine { config, system, rtl: &[] }, Some(seed));
    (state.expect("it is taken"), buffer)
}

/// The words of the buffer.
fn words((state, buffer): &(FinalState, u64)) -> Vec<u32> {
    assert!(state.launches[0].is_ok(), "{:?}", state.launches);
    let bytes = state.device.get(*buffer, 4 * WORDS).expect("allocated");
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn machine(change: impl FnOnce(&mut Config)) -> Config {
    let mut config = Config::preset(GPUDET.small).expect("a preset");
    change(&mut config);
    config
}

/// Each thread stores its number + 1, waits at a barrier, and adds the number of a thread of the other wavefront.
const NEIGHBOURS: &str = "
    add.u32 %r1, %r0, 1; st.global.u32 [%d1], %r1; bar.sync 0;
    xor.b32 %r2, %r0, 32; mul.wide.u32 %d2, %r2, 4; add.u64 %d2, %d0, %d2; ld.global.u32 %r3, [%d2];
    bar.sync 0; add.u32 %r1, %r1, %r3; st.global.u32 [%d1], %r1;";

#[test]
fn a_barrier_passed_with_stores_makes_a_program_without_races_end_wrong() {
    let right: Vec<u32> = (0..64).map(|thread| (thread + 1) + ((thread ^ 32) + 1)).collect();
    for seed in 1..4 {
        let with = |rule| machine(|config| config.quanta.barriers = rule);
        let ours = run(NEIGHBOURS, 1, &with(BarrierRule::Stores), GPUDET, seed);
        assert_eq!(words(&ours), right);
        let thesis = run(NEIGHBOURS, 1, &with(BarrierRule::Thesis), GPUDET, seed);
        let alone: Vec<u32> = (1..=64).collect();
        assert_eq!(words(&thesis), alone, "no thread has seen another's store");
    }
}

/// Both wavefronts store to the words of shared memory that the other loads.
const SHARED_RACE: &str = "
    mov.u32 %r4, words; shl.b32 %r5, %r0, 2; and.b32 %r5, %r5, 127; add.u32 %r4, %r4, %r5; mov.u32 %r6, 0;
    $again: ld.volatile.global.u32 %r7, [%d1]; ld.shared.u32 %r1, [%r4]; add.u32 %r1, %r1, %r7; mad.lo.u32 %r1, %r1, 5, %r0; st.shared.u32 [%r4], %r1;
    add.u32 %r6, %r6, 1; setp.lt.u32 %p0, %r6, 40; @%p0 bra $again; st.global.u32 [%d1], %r1;";

#[test]
fn races_in_shared_memory_are_deterministic_only_in_the_order_of_counts() {
    let outcomes = |order| {
        let config = machine(|config| config.quanta.shared_order = order);
        let states = (1..=12).map(|seed| words(&run(SHARED_RACE, 3, &config, GPUDET, seed)));
        states.collect::<std::collections::BTreeSet<_>>().len()
    };
    assert!(outcomes(SharedOrder::Thesis) > 1);
    assert_eq!(outcomes(SharedOrder::Deterministic), 1);
}

/// Workgroups from the sixth on wait for the fifth. The second and third work long, the others end at once.
const ASCENDING: &str = "
    mov.u32 %r1, %ctaid.x; mov.u32 %r4, 0;
    setp.lt.u32 %p0, %r1, 5; @%p0 bra $begun;
    $wait: ld.volatile.global.u32 %r2, [%d0]; setp.eq.u32 %p0, %r2, 0; @%p0 bra $wait;
    $begun: sub.u32 %r3, %r1, 1; setp.gt.u32 %p0, %r3, 1; @%p0 bra $tell;
    $work: add.u32 %r4, %r4, 1; setp.lt.u32 %p0, %r4, 300; @%p0 bra $work;
    $tell: setp.eq.u32 %p0, %r1, 4; @%p0 st.global.u32 [%d0], 1;";

/// The kind of program that section 5.1 excludes. The first slot runs workgroups 0, 3 and 6 in one quantum; 6 keeps it, and
/// then 5 and 7 keep the others, so that 4 never begins.
#[test]
fn a_program_that_wants_workgroups_in_ascending_order_is_stopped_by_the_watchdog() {
    let ends = |system, dwp| {
        let config = machine(|config| {
            config.core.ctas = 1;
            (config.quanta.instructions, config.quanta.dwp) = (200, dwp);
        });
        run(ASCENDING, 9, &config, system, 1).0.launches[0].clone()
    };
    assert!(ends(NONDET, true).is_ok());
    assert!(ends(GPUDET, false).is_ok(), "workgroups begin in order");
    let stopped = ends(GPUDET, true).expect_err("a workgroup waits for one that has no slot");
    assert!(stopped.contains("watchdog") && stopped.contains("kernel.ptx"), "{stopped}");
}

/// Fewer instructions than a quantum has.
const ALONE: &str = "mov.u32 %r1, 0;
    $again: add.u32 %r1, %r1, %r0; add.u32 %r2, %r2, 1; setp.lt.u32 %p0, %r2, 20; @%p0 bra $again;";

#[test]
fn one_quantum_without_stores_takes_the_clocks_of_nondet_and_of_two_barriers() {
    let clocks = |system, barrier_clocks| {
        let config = machine(|config| {
            (config.quanta.instructions, config.quanta.barrier_clocks) = (200, barrier_clocks);
        });
        let Prepared { image, device, launch, .. } = prepare(ALONE, 3);
        let mut machine = Machine::new(&config, system, None);
        machine.load(device, &[]);
        let timed = machine.run(&image, &image.program.kernels[0], &launch);
        timed.unwrap_or_else(|error| panic!("{error}")).cycles
    };
    let alone = clocks(NONDET, 0);
    assert_eq!(clocks(GPUDET, 0), alone);
    assert_eq!(clocks(GPUDET, 1000), alone + 2000);
}
