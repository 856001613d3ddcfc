# SPDX-License-Identifier: Apache-2.0
#
# The commands of Vivado that vivado/package_ip.tcl uses, as far as the script could see a difference:
# files have to exist, objects to have been made, ports to be the top module's. Prints what was made.
#   tclsh vivado.tcl SCRIPT TOP PORTS [ARGUMENT ...]        PORTS: a file with their names

lassign $argv script top_module ports_file
set argv [lrange $argv 3 end]
set handle [open $ports_file]
set top_ports [split [string trim [read $handle]] "\n"]
close $handle

set added [list]
set steps [list]
set packaged 0
set interfaces {guess}
set maps {guess}
array set properties {}

proc must {condition sentence} { if {![uplevel 1 [list expr $condition]]} { error $sentence } }
proc said {args} { puts [join $args " "] }
proc step {name} { lappend ::steps $name }
proc stepped {name} { expr {$name in $::steps} }

proc create_project {args} {
  must {[lindex $args 0] eq "-force" && [lindex $args 3] eq "-part"} "create_project $args"
  step project
  said project [lindex $args 1] [lindex $args 4]
}
proc add_files {args} {
  must {[stepped project]} "there is no project"
  lassign $args flag option fileset files
  must {$flag eq "-norecurse" && $option eq "-fileset" && $fileset in {sources_1 constrs_1}} "add_files $args"
  foreach file $files {
    must {[file isfile $file]} "add_files: $file does not exist"
    lappend ::added $file
    said file $fileset $file
  }
}
proc get_files {files} {
  foreach file $files { must {$file in $::added} "get_files: no $file" }
  return $files
}
proc get_filesets {name} {
  must {$name in {sources_1 constrs_1}} "no fileset $name"
  return $name
}
proc update_compile_order {args} { must {$args eq {-fileset sources_1}} $args; step ordered }
proc close_project {} { must {[stepped saved]} "the core was not saved"; said closed }

proc get_property {name object} { return $::properties($object,$name) }
proc set_property {name value object} {
  must {$object ne ""} "set_property $name: no object"
  switch -- $name {
    physical_name { must {$value in $::top_ports} "no port $value" }
    top { must {$value eq $::top_module} "no module $value" }
    slave_memory_map_ref { must {$value in $::maps} "no memory map $value" }
  }
  foreach one $object {
    set ::properties($one,$name) $value
    said set $one $name $value
  }
}

namespace eval ipx {
  proc package_project {args} {
    must {[stepped ordered]} "the order of files is not known"
    foreach option {-root_dir -vendor -library -taxonomy} { must {$option in $args} "no $option" }
    must {[file isdirectory [dict get [lrange $args 0 7] -root_dir]]} "no folder"
    set ::packaged 1
  }
  proc current_core {} { must {$::packaged} "nothing is packaged"; return core }
  proc get_ports {name option core} {
    must {$option eq "-of_objects" && $core eq "core"} "get_ports"
    return [lsearch -all -inline -exact $::top_ports $name]
  }
  proc get_bus_interfaces {option core} {
    foreach name $::interfaces { set ::properties(interface.$name,name) $name }
    return [lmap name $::interfaces {string cat interface. $name}]
  }
  proc remove_bus_interface {name core} {
    must {$name in $::interfaces} "no interface $name"
    set ::interfaces [lsearch -all -inline -not -exact $::interfaces $name]
  }
  proc add_bus_interface {name core} {
    must {$name ni $::interfaces} "interface $name is there already"
    lappend ::interfaces $name
    return interface.$name
  }
  proc add_port_map {signal interface} { return map.$interface.$signal }
  proc add_bus_parameter {name interface} { return parameter.$interface.$name }
  proc get_memory_maps {option core} {
    foreach name $::maps { set ::properties(memory.$name,name) $name }
    return [lmap name $::maps {string cat memory. $name}]
  }
  proc remove_memory_map {name core} {
    must {$name in $::maps} "no memory map $name"
    set ::maps [lsearch -all -inline -not -exact $::maps $name]
  }
  proc add_memory_map {name core} { lappend ::maps $name; return memory.$name }
  proc add_address_block {name map} { return block.$map.$name }
  proc create_xgui_files {core} {}
  proc update_checksums {core} {}
  proc check_integrity {core} { must {"guess" ni $::interfaces && "guess" ni $::maps} "a guess is left" }
  proc save_core {core} { step saved }
}

source $script
