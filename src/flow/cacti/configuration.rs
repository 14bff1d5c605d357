//! The input file of CACTI.

use super::Shape;

/// The input of CACTI: its own example, changed to a RAM of one bank without error correction. CACTI also
/// requires the lines about external memory.
pub(super) fn configuration(shape: &Shape, nanometres: u32) -> String {
    let bytes = shape.width / 8;
    format!(
        r#"-size (bytes) {size}
-block size (bytes) {bytes}
-output/input bus width {width}
-associativity 1
-read-write port {read_write}
-exclusive read port {read}
-exclusive write port {write}
-single ended read ports 0
-UCA bank count 1
-technology (u) {micrometres}
-cache type "ram"
-Add ECC - "false"
-Data array cell type - "itrs-hp"
-Data array peripheral type - "itrs-hp"
-Tag array cell type - "itrs-hp"
-Tag array peripheral type - "itrs-hp"
-operating temperature (K) 360
-design objective (weight delay, dynamic power, leakage power, cycle time, area) 0:0:0:100:0
-deviate (delay, dynamic power, leakage power, cycle time, area) 20:100000:100000:100000:100000
-Optimize ED or ED^2 (ED, ED^2, NONE): "ED^2"
-Wire signaling (fullswing, lowswing, default) - "Global_30"
-Wire inside mat - "semi-global"
-Wire outside mat - "semi-global"
-Interconnect projection - "conservative"
-Array Power Gating - "false"
-WL Power Gating - "false"
-CL Power Gating - "false"
-Bitline floating - "false"
-Interconnect Power Gating - "false"
-Power Gating Performance Loss 0.01
-page size (bits) 8192
-burst length 8
-internal prefetch width 8
-tag size (b) "default"
-access mode (normal, sequential, fast) - "normal"
-Cache model (NUCA, UCA) - "UCA"
-NUCAdesign objective (weight delay, dynamic power, leakage power, cycle time, area) 100:100:0:0:100
-NUCAdeviate (delay, dynamic power, leakage power, cycle time, area) 10:10000:10000:10000:10000
-NUCA bank count 0
-Core count 8
-Cache level (L2/L3) - "L3"
-Print level (DETAILED, CONCISE) - "DETAILED"
-Print input parameters - "true"
-Force cache config - "false"
-Ndwl 1
-Ndbl 1
-Nspd 0
-Ndcm 1
-Ndsam1 0
-Ndsam2 0
-dram_type "DDR3"
-io state "WRITE"
-addr_timing 1.0
-mem_density 4 Gb
-bus_freq 800 MHz
-duty_cycle 1.0
-activity_dq 1.0
-activity_ca 0.5
-num_dq 72
-num_dqs 18
-num_ca 25
-num_clk 2
-num_mem_dq 2
-mem_data_width 8
-rtt_value 10000
-ron_value 34
-tflight_value
-num_bobs 1
-capacity 80
-num_channels_per_bob 1
-first metric "Cost"
-second metric "Bandwidth"
-third metric "Energy"
-DIMM model "ALL"
-mirror_in_bob "F"
"#,
        size = shape.rows * bytes,
        width = shape.width,
        read_write = shape.read_write_ports,
        read = shape.read_ports,
        write = shape.write_ports,
        micrometres = f64::from(nanometres) / 1000.0,
    )
}
