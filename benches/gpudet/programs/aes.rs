//! Encryption.

use super::workloads::{Size, Workload};
use super::{GROUP, arguments, named};

/// AES with 128 bits; the first block is that of FIPS 197, appendix B.
pub fn aes(size: Size) -> Workload {
    const KEY: [u8; 16] = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
    const ROUNDS: usize = 10;
    let words = size.of(32_768, 1024);
    let about = format!("{} blocks of 16 bytes", words / 4);
    let mut workload = named("AES", about, "aes");
    let mut plain = workload.integers(words, u32::MAX);
    let first = 0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes();
    plain[..4].copy_from_slice(&columns(&first));
    let sbox = sbox();
    let table: Vec<u32> =
        sbox.iter().map(|s| u32::from_le_bytes([product(*s, 2), *s, *s, product(*s, 3)])).collect();
    let keys = round_keys(&KEY, &sbox, ROUNDS);
    let [of_table, of_keys, from] = [&table, &keys, &plain].map(|values| workload.words(values));
    let to = workload.zeros(words);
    let all = arguments(&[of_table, of_keys, from, to], &[ROUNDS]);
    workload.launch("aes", [words / GROUP, 1], [GROUP, 1], &all);
    let cipher: Vec<u32> =
        plain.chunks(4).flat_map(|block| columns(&encrypted(block, &keys, &sbox))).collect();
    let known = 0x3925_841d_02dc_09fb_dc11_8597_196a_0b32_u128.to_be_bytes();
    assert_eq!(cipher[..4], columns(&known), "FIPS 197, appendix B");
    workload.expect_words(to, &cipher);
    workload
}

fn columns(bytes: &[u8; 16]) -> [u32; 4] {
    let column = |at: usize| {
        u32::from_le_bytes([bytes[4 * at], bytes[4 * at + 1], bytes[4 * at + 2], bytes[4 * at + 3]])
    };
    [0, 1, 2, 3].map(column)
}

/// The product in the field of AES.
fn product(a: u8, b: u8) -> u8 {
    let double = |x: u8| (x << 1) ^ if x & 0x80 != 0 { 0x1b } else { 0 };
    let powers = std::iter::successors(Some(a), |power| Some(double(*power)));
    powers.take(8).enumerate().filter(|(bit, _)| b >> bit & 1 == 1).fold(0, |sum, (_, x)| sum ^ x)
}

fn sbox() -> Vec<u8> {
    let inverse = |x: u8| (0..=255).find(|y| product(x, *y) == 1).unwrap_or(0);
    let affine = |x: u8| (0..5).fold(0x63, |sum, turn| sum ^ x.rotate_left(turn));
    (0..=255).map(|x| affine(inverse(x))).collect()
}

fn round_keys(key: &[u8; 16], sbox: &[u8], rounds: usize) -> Vec<u32> {
    let mut keys = columns(key).to_vec();
    let mut constant = 1;
    for at in 4..4 * (rounds + 1) {
        let mut last = keys[at - 1];
        if at % 4 == 0 {
            let bytes = last.rotate_right(8).to_le_bytes().map(|byte| sbox[byte as usize]);
            last = u32::from_le_bytes(bytes) ^ u32::from(constant);
            constant = product(constant, 2);
        }
        keys.push(keys[at - 4] ^ last);
    }
    keys
}

/// Encrypts a block byte by byte.
fn encrypted(block: &[u32], keys: &[u32], sbox: &[u8]) -> [u8; 16] {
    const MIX: [u8; 4] = [2, 3, 1, 1];
    let bytes =
        |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|it| it.to_le_bytes()).collect() };
    let mut state = bytes(block);
    let add = |state: &mut Vec<u8>, round: usize| {
        let key = bytes(&keys[4 * round..][..4]);
        state.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= key);
    };
    add(&mut state, 0);
    let rounds = keys.len() / 4 - 1;
    for round in 1..=rounds {
        let shifted = |at: usize| sbox[state[(at + 4 * (at % 4)) % 16] as usize];
        let moved: Vec<u8> = (0..16).map(shifted).collect();
        let mixed = |at: usize| {
            (0..4).fold(0, |sum, row| {
                sum ^ product(moved[at / 4 * 4 + row], MIX[(row + 4 - at % 4) % 4])
            })
        };
        state = if round == rounds { moved } else { (0..16).map(mixed).collect() };
        add(&mut state, round);
    }
    state.try_into().expect("16 bytes")
}
