//! Compute units that store to different bytes of one line, and to parts of one word, lose nothing.

use warpsmith::gpu::PlantedError;
use warpsmith::gpu::config::Config;
use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, Machine};
use warpsmith::gpu::memory::Device;
use warpsmith::gpu::simt::Image;
use warpsmith::gpu::systems::{System, quick_release, release_consistency};

const ROUNDS: u32 = 40;
/// Threads of a CTA: each has a byte of the line.
const BYTES: usize = 64;

/// Thread t of CTA c stores to byte 2 t + c of a line, and reads it back, round by round.
const BYTES_OF_A_LINE: &str = "
.version 6.4
.target sm_70
.address_size 64
.visible .entry share(.param .u64 line, .param .u64 wrong) {
    .reg .u32 %t, %c, %r, %v, %own;
    .reg .u64 %line, %wrong, %at;
    .reg .pred %p;
    ld.param.u64 %line, [line];
    ld.param.u64 %wrong, [wrong];
    mov.u32 %t, %tid.x;
    mov.u32 %c, %ctaid.x;
    mad.lo.u32 %v, %t, 2, %c;
    cvt.u64.u32 %at, %v;
    add.u64 %line, %line, %at;
    mov.u32 %r, 0;
again:
    add.u32 %r, %r, 1;
    add.u32 %v, %t, %r;
    and.b32 %v, %v, 255;
    st.global.u8 [%line], %v;
    ld.global.u8 %own, [%line];
    setp.eq.u32 %p, %own, %v;
    @%p bra right;
    red.global.add.u32 [%wrong], 1;
right:
    setp.lt.u32 %p, %r, 40;
    @%p bra again;
    ret;
}
";

/// CTA 0 stores byte 0 and the upper half of a word, then its round by a release. CTA 1 stores byte 1, acquires the
/// round, and reads the word; then it lets CTA 0 go on.
const PARTS_OF_A_WORD: &str = "
.version 6.4
.target sm_70
.address_size 64
.visible .entry share(.param .u64 word, .param .u64 wrong, .param .u64 flags) {
    .reg .u32 %c, %r, %v, %half, %own, %seen;
    .reg .u64 %word, %wrong, %flags;
    .reg .pred %p;
    ld.param.u64 %word, [word];
    ld.param.u64 %wrong, [wrong];
    ld.param.u64 %flags, [flags];
    mov.u32 %c, %ctaid.x;
    mov.u32 %r, 0;
again:
    add.u32 %r, %r, 1;
    setp.ne.u32 %p, %c, 0;
    @%p bra reader;
    st.global.u8 [%word], %r;
    mul.lo.u32 %half, %r, 257;
    st.global.u16 [%word+2], %half;
    st.release.gpu.global.u32 [%flags], %r;
wait0:
    ld.acquire.gpu.global.u32 %seen, [%flags+256];
    setp.ne.u32 %p, %seen, %r;
    @%p bra wait0;
    bra next;
reader:
    add.u32 %own, %r, 100;
    st.global.u8 [%word+1], %own;
wait1:
    ld.acquire.gpu.global.u32 %seen, [%flags];
    setp.ne.u32 %p, %seen, %r;
    @%p bra wait1;
    mul.lo.u32 %v, %r, 16842753;
    and.b32 %v, %v, 4294902015;
    shl.b32 %own, %own, 8;
    or.b32 %v, %v, %own;
    ld.global.u32 %seen, [%word];
    setp.eq.u32 %p, %seen, %v;
    @%p bra right;
    red.global.add.u32 [%wrong], 1;
right:
    st.release.gpu.global.u32 [%flags+256], %r;
next:
    setp.lt.u32 %p, %r, 40;
    @%p bra again;
    ret;
}
";

fn systems() -> impl Iterator<Item = System> {
    System::ALL.into_iter().filter(|system| system.small == "small_apu")
}

/// Runs a kernel of two CTAs; gives the first bytes of the first buffer, and how often a thread read a wrong value.
fn run(
    text: &str,
    threads: u32,
    (system, seed): (System, u64),
    planted: Option<PlantedError>,
) -> (Vec<u8>, u32) {
    let program = isa::load("share.ptx", text).unwrap_or_else(|error| panic!("{error}"));
    let image = Image::new(program);
    let mut device = Device::default();
    let buffers = [(); 3].map(|()| device.allocate("a buffer", 512));
    let mut machine =
        Machine::new(&Config::preset(system.small).expect("a preset"), system, Some(seed));
    if let Some(error) = planted {
        machine.plant(error);
    }
    machine.load(device, &[]);
    let kernel = image.program.kernel("share").expect("the kernel");
    let mut parameters: Vec<u8> = buffers.iter().flat_map(|at| at.to_le_bytes()).collect();
    parameters.truncate(kernel.parameter_bytes as usize);
    let launch = Launch {
        grid: [2, 1, 1],
        block: [threads, 1, 1],
        parameters,
        watchdog: 10_000_000,
        ..Launch::default()
    };
    let ended = machine.run(&image, kernel, &launch);
    ended.unwrap_or_else(|error| panic!("{}: {error}", system.name));
    let word = |bytes: &[u8]| u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let of =
        |buffer: usize, bytes| machine.device().get(buffers[buffer], bytes).expect("allocated");
    (of(0, 2 * BYTES).to_vec(), word(of(1, 4)))
}

/// What the line holds after the last round.
fn bytes() -> Vec<u8> {
    (0..2 * BYTES).map(|at| (at / 2 + ROUNDS as usize) as u8).collect()
}

#[test]
fn two_cores_that_store_to_bytes_of_one_line_lose_none() {
    for system in systems() {
        for seed in 0..3 {
            let found = run(BYTES_OF_A_LINE, BYTES as u32, (system, seed), None);
            assert_eq!(found, (bytes(), 0), "{} {seed}", system.name);
        }
    }
}

#[test]
fn parts_of_a_word_are_seen_together_with_the_release_behind_them() {
    for system in systems() {
        for seed in 0..3 {
            let (word, wrong) = run(PARTS_OF_A_WORD, 1, (system, seed), None);
            assert_eq!(wrong, 0, "{} {seed}", system.name);
            let round = ROUNDS as u8;
            assert_eq!(word[..4], [round, round + 100, round, round], "{} {seed}", system.name);
        }
    }
}

/// Without their masks, whole lines overwrite each other.
#[test]
fn bytes_are_lost_where_masks_are() {
    for (system, error) in [
        (quick_release::QUICK_RELEASE, quick_release::planted::LOSE_MASK),
        (release_consistency::BASE, release_consistency::planted::WRITE_BACK_WHOLE.one_in(1)),
    ] {
        let is_lost = |seed| {
            let found = run(BYTES_OF_A_LINE, BYTES as u32, (system, seed), Some(error));
            found != (bytes(), 0)
        };
        assert!((0..10).any(is_lost), "{} with {}", system.name, error.name);
    }
}
