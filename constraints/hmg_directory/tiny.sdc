# Timing constraints of hmg_directory, made from its ports.
# Set clock_period_ns before reading this file.
if {![info exists clock_period_ns]} { set clock_period_ns 10.0 }
create_clock -name clk -period $clock_period_ns [get_ports clk]
set outside_ns [expr {$clock_period_ns / 3.0}]
set_input_delay $outside_ns -clock clk [get_ports rst]

# Channel req: requests that reached the home
set_input_delay $outside_ns -clock clk [get_ports {req_valid}]
set_output_delay $outside_ns -clock clk [get_ports {req_ready}]
set_input_delay $outside_ns -clock clk [get_ports {req_op[*]}]
set_input_delay $outside_ns -clock clk [get_ports {req_source_kind[*]}]
set_input_delay $outside_ns -clock clk [get_ports {req_source_index[*]}]
set_input_delay $outside_ns -clock clk [get_ports {req_address[*]}]

# Channel resp: one answer a request, after its invalidation was accepted
set_output_delay $outside_ns -clock clk [get_ports {resp_valid}]
set_input_delay $outside_ns -clock clk [get_ports {resp_ready}]
set_output_delay $outside_ns -clock clk [get_ports {resp_hit}]
set_output_delay $outside_ns -clock clk [get_ports {resp_allocated}]
set_output_delay $outside_ns -clock clk [get_ports {resp_evicted}]

# Channel inv: at most one invalidation a request
set_output_delay $outside_ns -clock clk [get_ports {inv_valid}]
set_input_delay $outside_ns -clock clk [get_ports {inv_ready}]
set_output_delay $outside_ns -clock clk [get_ports {inv_address[*]}]
set_output_delay $outside_ns -clock clk [get_ports {inv_sharers[*]}]

# Channel error: requests that have no meaning; they change nothing
set_output_delay $outside_ns -clock clk [get_ports {error_valid}]
set_output_delay $outside_ns -clock clk [get_ports {error_code[*]}]

# Straps keep one value.
set_false_path -from [get_ports {self_gpm[*]}]
set_false_path -from [get_ports {self_gpu}]
