# Timing constraints of getm_stall_buffer, made from its ports.
# Set clock_period_ns before reading this file.
if {![info exists clock_period_ns]} { set clock_period_ns 10.0 }
create_clock -name clk -period $clock_period_ns [get_ports clk]
set outside_ns [expr {$clock_period_ns / 3.0}]
set_input_delay $outside_ns -clock clk [get_ports rst]

# Channel park: accesses that are to wait
set_input_delay $outside_ns -clock clk [get_ports {park_valid}]
set_input_delay $outside_ns -clock clk [get_ports {park_address[*]}]
set_input_delay $outside_ns -clock clk [get_ports {park_store}]
set_input_delay $outside_ns -clock clk [get_ports {park_warp[*]}]
set_input_delay $outside_ns -clock clk [get_ports {park_warpts[*]}]

# Channel retry_result: what became of a retry
set_input_delay $outside_ns -clock clk [get_ports {retry_result_valid}]
set_input_delay $outside_ns -clock clk [get_ports {retry_result_address[*]}]
set_input_delay $outside_ns -clock clk [get_ports {retry_result_reserved}]

# Channel release: ends of reservations
set_input_delay $outside_ns -clock clk [get_ports {release_valid}]
set_input_delay $outside_ns -clock clk [get_ports {release_address[*]}]
set_input_delay $outside_ns -clock clk [get_ports {release_all}]

# Channel parked: the answer to a park, in the next clock
set_output_delay $outside_ns -clock clk [get_ports {parked_valid}]
set_output_delay $outside_ns -clock clk [get_ports {parked_room}]

# Channel retry: accesses to be tried again; of each address one at a time
set_output_delay $outside_ns -clock clk [get_ports {retry_valid}]
set_input_delay $outside_ns -clock clk [get_ports {retry_ready}]
set_output_delay $outside_ns -clock clk [get_ports {retry_address[*]}]
set_output_delay $outside_ns -clock clk [get_ports {retry_store}]
set_output_delay $outside_ns -clock clk [get_ports {retry_warp[*]}]
set_output_delay $outside_ns -clock clk [get_ports {retry_warpts[*]}]

# Channel error: transfers that have no meaning; they change nothing
set_output_delay $outside_ns -clock clk [get_ports {error_valid}]
set_output_delay $outside_ns -clock clk [get_ports {error_code}]
