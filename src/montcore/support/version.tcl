# SPDX-License-Identifier: Apache-2.0
#
# The version of tclsh, which has no option for it.
puts [info patchlevel]
