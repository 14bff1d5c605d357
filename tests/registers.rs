//! Registers that a thread is taken to need: what hardware has as operands takes none, the others are allocated.

use warpsmith::gpu::isa::load;

/// Registers of a kernel with six pointers as parameters. Register 1 is the stack pointer, always.
fn registers(body: &str) -> u32 {
    let parameters = ["a", "b", "c", "d", "e", "f"].map(|name| format!(".param .u64 {name}"));
    let text = format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k({})\n{{\n\
         .reg .pred %p<16>; .reg .b32 %r<64>; .reg .b64 %rd<64>;\n\
         .shared .align 4 .b8 buffer[1024];\n{body}\nret;\n}}\n",
        parameters.join(", ")
    );
    let program = load("k.ptx", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    program.kernels[0].registers
}

#[test]
fn parameters_and_scaled_indices_are_operands() {
    // The index in R0, an address in R2 and R3, what is loaded in R2, the other address in R4 and R5.
    let copy = "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; mov.u32 %r1, %tid.x;\n\
                mul.wide.u32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r2, [%rd4];\n\
                add.s64 %rd5, %rd2, %rd3; st.global.u32 [%rd5], %r2;";
    assert_eq!(registers(copy), 6);
    let through_shift = copy
        .replace("mul.wide.u32 %rd3, %r1, 4;", "cvt.s64.s32 %rd9, %r1; shl.b64 %rd3, %rd9, 2;")
        .replace(
            "ld.param.u64 %rd1, [a];",
            "ld.param.u64 %rd8, [a]; cvta.to.global.u64 %rd1, %rd8;",
        );
    assert_eq!(registers(&through_shift), 6);
    // An index that is stored has to be there: a pair more.
    let index = format!("{copy} st.global.u32 [%rd5+8], %r1;");
    assert_eq!(registers(&index), 6);
    let stored = format!("{index} st.global.u64 [%rd5+16], %rd3;");
    assert_eq!(registers(&stored), 8);
}

#[test]
fn addresses_of_shared_memory_have_32_bits() {
    let stored = "mov.u32 %r1, %tid.x; mov.u64 %rd1, buffer; mul.wide.u32 %rd2, %r1, 4;\n\
                  add.s64 %rd3, %rd1, %rd2; st.shared.u32 [%rd3], %r1;";
    assert_eq!(registers(stored), 3, "the index, the stack pointer, the address");
    let generic =
        stored.replace("st.shared", "cvta.shared.u64 %rd4, %rd3; st").replace("[%rd3]", "[%rd4]");
    assert!(registers(&generic) > 3, "a generic address has 64");
}

#[test]
fn vectors_are_loaded_to_aligned_registers() {
    let vector = "ld.param.u64 %rd1, [a]; ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\n\
                  st.global.u32 [%rd1], %r1; st.global.u32 [%rd1], %r2;\n\
                  st.global.u32 [%rd1], %r3; st.global.u32 [%rd1], %r4;";
    // R4 to R7, as R1 is taken.
    assert_eq!(registers(vector), 8);
}

#[test]
fn predicates_have_seven_registers_of_their_own() {
    let with = |count: u32| {
        let all = |line: &dyn Fn(u32) -> String| (1..=count).map(line).collect::<String>();
        let made = all(&|at| format!("setp.eq.u32 %p{at}, %r1, {at};\n"));
        let used = all(&|at| format!("selp.b32 %r2, 1, %r2, %p{at};\n"));
        format!(
            "ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n\
             {made}{used}st.global.u32 [%rd1], %r2;"
        )
    };
    assert_eq!(registers(&with(9)), registers(&with(7)) + 1);
    assert_eq!(registers(&with(7)), registers(&with(1)));
}

#[test]
fn a_value_takes_the_place_of_one_that_is_dead_for_a_while() {
    let looped = |more: &str| {
        format!(
            "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\nLOOP:\n\
             add.u32 %r3, %r2, %r1; {more} mov.u32 %r2, %r3; setp.lt.u32 %p1, %r2, 100;\n\
             @%p1 bra LOOP;\nst.shared.u32 [%r1], %r2;"
        )
    };
    assert_eq!(registers(&looped("")) + 1, registers(&looped("xor.b32 %r1, %r1, %r2;")));
}

#[test]
fn loads_are_moved_ahead_up_to_32_registers() {
    let loads = |count: u32| {
        let one = |at: u32| {
            format!(
                "ld.global.u32 %r{}, [%rd1+{}]; add.u32 %r1, %r1, %r{};\n",
                at + 1,
                at * 4,
                at + 1
            )
        };
        let all: String = (1..=count).map(one).collect();
        format!("ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x;\n{all}st.global.u32 [%rd1], %r1;")
    };
    let needed = [2, 8, 60].map(|count| registers(&loads(count)));
    assert!(needed[0] < needed[1] && needed[1] >= 10, "{needed:?}");
    assert_eq!(needed[2], 32, "what is loaded is 60 values");
    let apart = loads(8).replace("add.u32", "bar.sync 0; add.u32");
    assert!(registers(&apart) < needed[1], "no load passes a barrier");
}

#[test]
fn code_of_copies_of_each_other_has_an_end() {
    assert!(registers("mov.u32 %r1, %r2; mov.u32 %r2, %r1;") > 0);
    assert!(registers("shl.b64 %rd1, %rd2, 1; shl.b64 %rd2, %rd1, 1;") > 0);
}
