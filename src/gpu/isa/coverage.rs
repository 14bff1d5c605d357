//! Which instructions of PTX are covered, and what to use in the place of those that are not.

/// Instructions that are covered, by what they are about.
pub const COVERED: [(&str, &[&str]); 18] = [
    (
        "integers",
        &[
            "add", "sub", "mul", "mad", "div", "rem", "abs", "neg", "min", "max", "mul24", "mad24",
            "sad", "addc", "subc", "madc",
        ],
    ),
    (
        "floats",
        &[
            "add", "sub", "mul", "fma", "mad", "div", "abs", "neg", "min", "max", "rcp", "sqrt",
            "rsqrt", "sin", "cos", "lg2", "ex2", "tanh", "copysign", "testp",
        ],
    ),
    (
        "bits",
        &[
            "and", "or", "xor", "not", "cnot", "shl", "shr", "shf", "lop3", "prmt", "popc", "clz",
            "bfind", "brev", "bfe", "bfi", "bmsk", "szext", "fns",
        ],
    ),
    (
        "bytes and halves of words",
        &[
            "dp4a",
            "dp2a",
            "vadd2",
            "vadd4",
            "vsub2",
            "vsub4",
            "vavrg2",
            "vavrg4",
            "vabsdiff2",
            "vabsdiff4",
            "vmin2",
            "vmin4",
            "vmax2",
            "vmax4",
            "vset2",
            "vset4",
        ],
    ),
    (
        "a byte or half of words",
        &["vadd", "vsub", "vabsdiff", "vmin", "vmax", "vmad", "vshl", "vshr", "vset"],
    ),
    ("comparison, selection", &["setp", "set", "selp", "slct"]),
    ("moves, conversions", &["mov", "cvt", "cvta", "isspacep"]),
    ("memory", &["ld", "ldu", "st", "atom", "red"]),
    ("textures and surfaces", &["tex", "tld4", "txq", "suld", "sust", "sured", "suq"]),
    ("matrices", &["mma", "wmma", "ldmatrix", "stmatrix", "movmatrix"]),
    ("asynchronous copies", &COPIES),
    ("clusters of CTAs", &["mapa", "getctarank", "barrier.cluster"]),
    ("order", &["membar", "fence", "bar", "barrier"]),
    ("lanes together", &["vote", "match", "shfl", "redux", "elect", "activemask"]),
    ("control", &["bra", "brx", "call", "ret", "exit", "trap", "nanosleep"]),
    ("stack", &["alloca", "stacksave", "stackrestore"]),
    ("hints, which do nothing", &HINTS),
    ("cache policies, which do nothing", &["createpolicy"]),
];

/// Asynchronous copies, and what waits for them.
const COPIES: [&str; 6] =
    ["cp.async", "cp.async.bulk", "cp.reduce.async.bulk", "st.async", "red.async", "mbarrier"];

/// Instructions that change no result on this machine: hints to caches and to the scheduler of launches.
pub(super) const HINTS: [&str; 7] = [
    "prefetch",
    "prefetchu",
    "discard",
    "applypriority",
    "griddepcontrol",
    "setmaxnreg",
    "pmevent",
];

/// Instructions that are not covered, and what to use instead.
pub const REFUSED: [(&str, &str); 8] = [
    ("istypep", "buffers in global memory"),
    ("multimem", "red and ld.global"),
    ("tensormap", "addresses and sizes as parameters"),
    ("tcgen05", "mma"),
    ("clusterlaunchcontrol", "a counter in global memory"),
    ("wgmma", "mma"),
    ("cp.async.bulk.tensor", "cp.async.bulk"),
    ("brkpt", "trap"),
];

/// Why an instruction is refused.
pub(super) fn not_covered(name: &str) -> String {
    let is_covered = COVERED.iter().any(|(_, names)| names.contains(&name));
    match REFUSED.iter().find(|(refused, _)| *refused == name) {
        Some((_, instead)) => format!("{name} is not supported: use {instead}"),
        None if is_covered => format!("{name} has no form of this type"),
        None => format!("PTX has no instruction {name}"),
    }
}
