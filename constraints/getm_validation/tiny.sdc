# Timing constraints of getm_validation, made from its ports.
# Set clock_period_ns before reading this file.
if {![info exists clock_period_ns]} { set clock_period_ns 10.0 }
create_clock -name clk -period $clock_period_ns [get_ports clk]
set outside_ns [expr {$clock_period_ns / 3.0}]
set_input_delay $outside_ns -clock clk [get_ports rst]

# Channel req: transactional accesses
set_input_delay $outside_ns -clock clk [get_ports {req_valid}]
set_output_delay $outside_ns -clock clk [get_ports {req_ready}]
set_input_delay $outside_ns -clock clk [get_ports {req_address[*]}]
set_input_delay $outside_ns -clock clk [get_ports {req_store}]
set_input_delay $outside_ns -clock clk [get_ports {req_warp}]
set_input_delay $outside_ns -clock clk [get_ports {req_warpts[*]}]

# Channel release: writes of the commit unit's logs
set_input_delay $outside_ns -clock clk [get_ports {release_valid}]
set_output_delay $outside_ns -clock clk [get_ports {release_ready}]
set_input_delay $outside_ns -clock clk [get_ports {release_address[*]}]
set_input_delay $outside_ns -clock clk [get_ports {release_count[*]}]

# Channel roll: what the unit has to do of a roll-over
set_input_delay $outside_ns -clock clk [get_ports {roll_valid}]
set_output_delay $outside_ns -clock clk [get_ports {roll_ready}]
set_input_delay $outside_ns -clock clk [get_ports {roll_go}]

# Channel overflow_resp: one answer a lookup in the overflow space
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_valid}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_resp_ready}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_found}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_wts[*]}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_rts[*]}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_writes[*]}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_resp_owner}]

# Channel resp: one answer an access
set_output_delay $outside_ns -clock clk [get_ports {resp_valid}]
set_input_delay $outside_ns -clock clk [get_ports {resp_ready}]
set_output_delay $outside_ns -clock clk [get_ports {resp_address[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_store}]
set_output_delay $outside_ns -clock clk [get_ports {resp_warp}]
set_output_delay $outside_ns -clock clk [get_ports {resp_warpts[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_outcome[*]}]
set_output_delay $outside_ns -clock clk [get_ports {resp_timestamp[*]}]

# Channel rolled: what the unit has done of a roll-over, which it may begin itself
set_output_delay $outside_ns -clock clk [get_ports {rolled_valid}]
set_input_delay $outside_ns -clock clk [get_ports {rolled_ready}]
set_output_delay $outside_ns -clock clk [get_ports {rolled_go}]

# Channel overflow_req: what is asked of the overflow space in memory, to be done in order
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_valid}]
set_input_delay $outside_ns -clock clk [get_ports {overflow_req_ready}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_op[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_address[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_wts[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_rts[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_writes[*]}]
set_output_delay $outside_ns -clock clk [get_ports {overflow_req_owner}]

# Channel issued: what the unit does, in this order: for counters and for verification
set_output_delay $outside_ns -clock clk [get_ports {issued_valid}]
set_output_delay $outside_ns -clock clk [get_ports {issued_what[*]}]
set_output_delay $outside_ns -clock clk [get_ports {issued_address[*]}]
set_output_delay $outside_ns -clock clk [get_ports {issued_store}]
set_output_delay $outside_ns -clock clk [get_ports {issued_warp}]
set_output_delay $outside_ns -clock clk [get_ports {issued_warpts[*]}]

# Channel decided: the verdict on each access and release, in the order in which they were issued
set_output_delay $outside_ns -clock clk [get_ports {decided_valid}]
set_output_delay $outside_ns -clock clk [get_ports {decided_verdict[*]}]

# Channel error: requests that have no meaning; they change nothing
set_output_delay $outside_ns -clock clk [get_ports {error_valid}]
set_output_delay $outside_ns -clock clk [get_ports {error_code[*]}]
