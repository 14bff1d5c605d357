//! Names that are legal in Verilog-2005 and SystemVerilog, each used once in a module.

use std::collections::HashMap;
use std::panic::Location;

/// Reserved words of Verilog-2005 and SystemVerilog (IEEE 1800-2017, annex B).
const RESERVED: &str = "accept_on alias always always_comb always_ff always_latch and assert assign \
assume automatic before begin bind bins binsof bit break buf bufif0 bufif1 byte case casex casez \
cell chandle checker class clocking cmos config const constraint context continue cover covergroup \
coverpoint cross deassign default defparam design disable dist do edge else end endcase endchecker \
endclass endclocking endconfig endfunction endgenerate endgroup endinterface endmodule endpackage \
endprimitive endprogram endproperty endspecify endsequence endtable endtask enum event eventually \
expect export extends extern final first_match for force foreach forever fork forkjoin function \
generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins implements implies \
import incdir include initial inout input inside instance int integer interconnect interface \
intersect join join_any join_none large let liblist library local localparam logic longint \
macromodule matches medium modport module nand negedge nettype new nexttime nmos nor \
noshowcancelled not notif0 notif1 null or output package packed parameter pmos posedge primitive \
priority program property protected pull0 pull1 pulldown pullup pulsestyle_ondetect \
pulsestyle_onevent pure rand randc randcase randsequence rcmos real realtime ref reg reject_on \
release repeat restrict return rnmos rpmos rtran rtranif0 rtranif1 s_always s_eventually \
s_nexttime s_until s_until_with scalared sequence shortint shortreal showcancelled signed small \
soft solve specify specparam static string strong strong0 strong1 struct super supply0 supply1 \
sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit tran \
tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until \
until_with untyped use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while \
wildcard wire with within wor xnor xor";

/// Further words, of C++, that break Verilator's output.
const RESERVED_BY_CPP: &str = "alignas alignof asm auto bool catch char compl concept constexpr \
const_cast decltype delete double dynamic_cast explicit false far float friend goto huge inline long \
mutable namespace near noexcept nullptr operator private public register \
reinterpret_cast return short sizeof static_assert static_cast switch template thread_local throw \
true try typeid typename using volatile wchar_t";

fn is_in(words: &str, name: &str) -> bool {
    words.split_whitespace().any(|word| word == name)
}

/// Whether the word is reserved in Verilog, in SystemVerilog or in Verilator's output.
pub(crate) fn is_reserved(word: &str) -> bool {
    is_in(RESERVED, word) || is_in(RESERVED_BY_CPP, word)
}

/// Rejects names that are not lower-case identifiers, that are reserved, or that begin with an underscore,
/// which the Verilog writer uses itself.
#[track_caller]
pub(super) fn check(name: &str) {
    let mut characters = name.chars();
    let starts_well = characters.next().is_some_and(|c| c.is_ascii_lowercase());
    let goes_on_well = characters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    assert!(
        starts_well && goes_on_well,
        "`{name}` is not a snake_case identifier (a-z first, then a-z, 0-9, _)"
    );
    assert!(!is_in(RESERVED, name), "`{name}` is a reserved word of Verilog or SystemVerilog");
    assert!(
        !is_in(RESERVED_BY_CPP, name),
        "`{name}` is a reserved word of C++, which Verilator emits"
    );
}

/// The names of a module and the current prefixes.
pub(super) struct Names {
    used: HashMap<String, &'static Location<'static>>,
    prefixes: Vec<String>,
}

impl Names {
    /// The names that every module has: its clock, its reset, and its own name, which Verilator does not
    /// allow as a signal.
    #[track_caller]
    pub(super) fn of_module(module: &str) -> Self {
        let used = ["clk", "rst", module].map(|name| (name.to_string(), Location::caller()));
        Self { used: HashMap::from(used), prefixes: Vec::new() }
    }

    pub(super) fn enter(&mut self, prefix: &str) {
        self.prefixes.push(prefix.to_string());
    }

    pub(super) fn leave(&mut self) {
        self.prefixes.pop();
    }

    /// Records the name with the current prefixes.
    #[track_caller]
    pub(super) fn take(&mut self, name: &str) -> String {
        let full =
            self.prefixes.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("_");
        check(&full);
        if let Some(first) = self.used.insert(full.clone(), Location::caller()) {
            panic!("the name `{full}` is already used in this module, first at {first}");
        }
        full
    }
}
