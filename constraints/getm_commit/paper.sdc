# Timing constraints of getm_commit, made from its ports.
# Set clock_period_ns before reading this file.
if {![info exists clock_period_ns]} { set clock_period_ns 10.0 }
create_clock -name clk -period $clock_period_ns [get_ports clk]
set outside_ns [expr {$clock_period_ns / 3.0}]
set_input_delay $outside_ns -clock clk [get_ports rst]

# Channel log: logs of warps, item by item
set_input_delay $outside_ns -clock clk [get_ports {log_valid}]
set_output_delay $outside_ns -clock clk [get_ports {log_ready}]
set_input_delay $outside_ns -clock clk [get_ports {log_kind[*]}]
set_input_delay $outside_ns -clock clk [get_ports {log_address[*]}]
set_input_delay $outside_ns -clock clk [get_ports {log_data[*]}]
set_input_delay $outside_ns -clock clk [get_ports {log_bytes[*]}]
set_input_delay $outside_ns -clock clk [get_ports {log_count[*]}]

# Channel write: regions to be written to the LLC
set_output_delay $outside_ns -clock clk [get_ports {write_valid}]
set_input_delay $outside_ns -clock clk [get_ports {write_ready}]
set_output_delay $outside_ns -clock clk [get_ports {write_address[*]}]
set_output_delay $outside_ns -clock clk [get_ports {write_data[*]}]
set_output_delay $outside_ns -clock clk [get_ports {write_bytes[*]}]

# Channel release: writes that are done with, for the validation unit; after their region was written
set_output_delay $outside_ns -clock clk [get_ports {release_valid}]
set_input_delay $outside_ns -clock clk [get_ports {release_ready}]
set_output_delay $outside_ns -clock clk [get_ports {release_address[*]}]
set_output_delay $outside_ns -clock clk [get_ports {release_count[*]}]

# Channel error: items that have no meaning; they change nothing
set_output_delay $outside_ns -clock clk [get_ports {error_valid}]
set_output_delay $outside_ns -clock clk [get_ports {error_code[*]}]
