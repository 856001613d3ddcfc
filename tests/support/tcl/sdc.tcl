# SPDX-License-Identifier: Apache-2.0
#
# The commands that constraints.sdc and constraints.xdc use; every name has to be there.
#   tclsh sdc.tcl FILE PORTS         PORTS: a file with a line `in NAME` or `out NAME` for each port
# Prints a line for each clock, for each port with a delay or a false path, and for each way that is limited.

lassign $argv script ports_file
set handle [open $ports_file]
array set direction {}
foreach line [split [string trim [read $handle]] "\n"] { set direction([lindex $line 1]) [lindex $line 0] }
close $handle
set clocks [list]

proc of_direction {wanted} {
  set found [list]
  foreach {name is} [array get ::direction] { if {$is eq $wanted} { lappend found $name } }
  return $found
}
proc all_inputs {} { return [of_direction in] }
proc all_outputs {} { return [of_direction out] }
proc get_object_name {port} { return $port }
proc foreach_in_collection {name values body} { uplevel 1 [list foreach $name $values $body] }
proc get_ports {names} {
  set found [list]
  foreach name $names {
    set stem [string map {{[*]} {}} $name]
    if {![info exists ::direction($stem)]} { error "no port $name" }
    lappend found $stem
  }
  return $found
}
proc get_clocks {names} {
  foreach name $names { if {$name ni $::clocks} { error "no clock $name" } }
  return $names
}
proc create_clock {args} {
  array set given [lrange $args 0 end-1]
  set port [lindex $args end]
  if {$::direction($port) ne "in"} { error "$port is no input" }
  lappend ::clocks $given(-name)
  puts "clock $given(-name) $port $given(-period)"
}
proc delays {what args} {
  set index [lsearch $args -clock]
  get_clocks [lindex $args $index+1]
  foreach port [lindex $args end] {
    if {$::direction($port) ne $what} { error "$port is not an $what" }
    puts "delay $port [lindex $args $index+1]"
  }
}
proc set_input_delay {args} { delays in {*}$args }
proc set_output_delay {args} { delays out {*}$args }
proc set_max_delay {args} {
  foreach start [lindex $args 2] { foreach end [lindex $args 4] { puts "limit $start $end [lindex $args 0]" } }
}
proc set_false_path {args} {
  if {[lindex $args 0] eq "-from"} { foreach port [lindex $args 1] { puts "free $port" } }
}

source $script
