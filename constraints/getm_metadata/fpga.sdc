# Timing constraints of getm_metadata, made from its ports.
# Set clock_period_ns before reading this file.
if {![info exists clock_period_ns]} { set clock_period_ns 10.0 }
create_clock -name clk -period $clock_period_ns [get_ports clk]
set outside_ns [expr {$clock_period_ns / 3.0}]
set_input_delay $outside_ns -clock clk [get_ports rst]

# Channel req: accesses and releases
set_input_delay $outside_ns -clock clk [get_ports {req_valid}]
set_output_delay $outside_ns -clock clk [get_ports {req_ready}]
set_input_delay $outside_ns -clock clk [get_ports {req_op[*]}]
set_input_delay $outside_ns -clock clk [get_ports {req_address[*]}]
set_input_delay $outside_ns -clock clk [get_ports {req_warp[*]}]
set_input_delay $outside_ns -clock clk [get_ports {req_warpts[*]}]
set_input_delay $outside_ns -clock clk [get_ports {req_count[*]}]
set_input_delay $outside_ns -clock clk [get_ports {req_tag[*]}]

# Channel resp: one answer a request
set_output_delay $outside_ns -clock clk [get_ports {resp_valid}]
set_input_delay $outside_ns -clock clk [get_ports {resp_ready}]
set_output_delay $outside_ns -clock clk [get_ports {resp_op[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_address[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_warp[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_warpts[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_tag[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_verdict[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_wts[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_rts[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_reserved}]

# Channel overflow_req: what is asked of the overflow space in memory, to be done in order
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_valid}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_req_ready}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_op[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_address[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_wts[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_rts[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_writes[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_owner[*]}]

# Channel overflow_resp: one answer a lookup in the overflow space
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_valid}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_resp_ready}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_found}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_wts[*]}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_rts[*]}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_writes[*]}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_owner[*]}]

# Channel error: requests that have no meaning; they change nothing
set_output_delay $outside_ns -clock clk [get_ports {error_valid}]
set_output_delay $outside_ns -clock clk [get_ports {error_code[*]}]
