//! Which instructions of PTX are covered, and what to use in the place of those that are not.

/// Instructions that are not covered, and what to use instead.
pub const REFUSED: [(&str, &str); 14] = [
    ("tex", "buffers in global memory, with ld.global"),
    ("tld4", "buffers in global memory, with ld.global"),
    ("txq", "parameters of the kernel for the sizes"),
    ("suld", "buffers in global memory, with ld.global"),
    ("sust", "buffers in global memory, with st.global"),
    ("sured", "buffers in global memory, with red.global"),
    ("suq", "parameters of the kernel for the sizes"),
    ("brx", "a chain of setp and bra"),
    ("wmma", "fma"),
    ("mma", "fma"),
    ("ldmatrix", "ld.shared"),
    ("cp", "ld.global and st.shared"),
    ("mbarrier", "bar.sync"),
    ("alloca", "a .local variable"),
];

/// Why an instruction is refused.
pub(super) fn not_covered(name: &str) -> String {
    match REFUSED.iter().find(|(refused, _)| *refused == name) {
        Some((_, instead)) => format!("{name} is not supported: use {instead}"),
        None => format!("PTX has no instruction {name}"),
    }
}
