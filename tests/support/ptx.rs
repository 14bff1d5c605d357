//! Runs of single instructions.

#![allow(dead_code, reason = "each test file uses a part")]

use warpsmith::gpu::isa;
use warpsmith::gpu::machine::{Launch, LaunchError, run};
use warpsmith::gpu::memory::{Device, Flat};
use warpsmith::gpu::simt::Image;

/// Results of some instructions: registers `%r7`, `%rd7`, `%h7` and `%p3`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Results {
    pub r: u32,
    pub rd: u64,
    pub h: u16,
    pub p: bool,
}

pub fn module(body: &str) -> String {
    format!(
        ".version 6.4\n.target sm_70\n.address_size 64 \
         .extern .func (.param .b64 p) malloc(.param .b64 n); .extern .func free(.param .b64 p);\n\
         .visible .entry k(.param .u64 out, .param .u64 in) {{\n\
         .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %rd<12>; .reg .pred %p<4>;\n\
         ld.param.u64 %rd8, [out]; ld.param.u64 %rd9, [in];\n\
         ld.global.v2.u64 {{%rd0, %rd1}}, [%rd9];\n\
         ld.global.v2.u64 {{%rd2, %rd3}}, [%rd9+16];\n\
         cvt.u32.u64 %r0, %rd0; cvt.u32.u64 %r1, %rd1; cvt.u32.u64 %r2, %rd2; cvt.u32.u64 %r3, %rd3;\n\
         cvt.u16.u64 %h0, %rd0; cvt.u16.u64 %h1, %rd1; cvt.u16.u64 %h2, %rd2;\n\
         {body}\n\
         st.global.u32 [%rd8], %r7; st.global.u64 [%rd8+8], %rd7; st.global.u16 [%rd8+16], %h7;\n\
         selp.u32 %r6, 1, 0, %p3; st.global.u32 [%rd8+20], %r6;\nret;\n}}\n"
    )
}

pub fn try_run(body: &str, inputs: [u64; 4]) -> Result<Results, LaunchError> {
    run_on(Device::default(), body, inputs)
}

/// On a machine with a heap of so many bytes.
pub fn with_heap(body: &str, bytes: u32) -> Result<Results, LaunchError> {
    let mut device = Device::default();
    device.make_heap(bytes);
    run_on(device, body, [0; 4])
}

fn run_on(mut device: Device, body: &str, inputs: [u64; 4]) -> Result<Results, LaunchError> {
    let program = isa::load("test.ptx", &module(body)).unwrap_or_else(|error| panic!("{error}"));
    let image = Image::new(program);
    let (out, input) = (device.allocate("out", 24), device.allocate("in", 32));
    let bytes: Vec<u8> = inputs.iter().flat_map(|word| word.to_le_bytes()).collect();
    device.get_mut(input, 32).expect("allocated").copy_from_slice(&bytes);
    let launch = Launch {
        grid: [1; 3],
        block: [1; 3],
        parameters: [out, input].iter().flat_map(|address| address.to_le_bytes()).collect(),
        resident: 1,
        watchdog: 10_000,
        ..Launch::default()
    };
    let mut memory = Flat::new(device, &[]);
    run(&image, &image.program.kernels[0], &launch, &mut memory)?;
    let bytes = memory.device.get(out, 24).expect("allocated");
    let word = |at: usize, size: usize| {
        let mut word = [0; 8];
        word[..size].copy_from_slice(&bytes[at..at + size]);
        u64::from_le_bytes(word)
    };
    let (r, rd, h) = (word(0, 4) as u32, word(8, 8), word(16, 2) as u16);
    Ok(Results { r, rd, h, p: word(20, 4) == 1 })
}

pub fn results(body: &str, inputs: [u64; 4]) -> Results {
    try_run(body, inputs).unwrap_or_else(|error| panic!("{error}"))
}

/// `%r7` after one instruction on `%r0` to `%r3`.
#[track_caller]
pub fn narrow(body: &str, inputs: &[u32], expected: u32) {
    let mut words = [0; 4];
    inputs.iter().zip(&mut words).for_each(|(input, word)| *word = u64::from(*input));
    assert_eq!(results(body, words).r, expected, "{body} of {inputs:x?}");
}

/// `%rd7` after one instruction on `%rd0` to `%rd3`.
#[track_caller]
pub fn wide(body: &str, inputs: &[u64], expected: u64) {
    let mut words = [0; 4];
    inputs.iter().zip(&mut words).for_each(|(input, word)| *word = *input);
    assert_eq!(results(body, words).rd, expected, "{body} of {inputs:x?}");
}

/// `%r7` after one instruction on floats.
#[track_caller]
pub fn single(body: &str, inputs: &[f32], expected: f32) {
    let bits: Vec<u32> = inputs.iter().map(|input| input.to_bits()).collect();
    narrow(body, &bits, expected.to_bits());
}

/// `%rd7` after one instruction on floats.
#[track_caller]
pub fn double(body: &str, inputs: &[f64], expected: f64) {
    let bits: Vec<u64> = inputs.iter().map(|input| input.to_bits()).collect();
    wide(body, &bits, expected.to_bits());
}

/// `%p3` after one instruction.
#[track_caller]
pub fn predicate(body: &str, inputs: &[u32], expected: bool) {
    let mut words = [0; 4];
    inputs.iter().zip(&mut words).for_each(|(input, word)| *word = u64::from(*input));
    assert_eq!(results(body, words).p, expected, "{body} of {inputs:x?}");
}

/// `%h7` after one instruction on `%h0` to `%h2`.
#[track_caller]
pub fn half(body: &str, inputs: &[u16], expected: u16) {
    let mut words = [0; 4];
    inputs.iter().zip(&mut words).for_each(|(input, word)| *word = u64::from(*input));
    let found = results(body, words).h;
    assert_eq!(found, expected, "{body} of {inputs:x?}: {found:#x}, not {expected:#x}");
}

/// The message of a run that must be aborted.
pub fn stopped(body: &str) -> String {
    try_run(body, [0; 4]).expect_err("a problem").to_string()
}

/// The message of a module that must be rejected.
pub fn refused(text: &str) -> String {
    isa::load("test.ptx", text).expect_err("an error").to_string()
}
