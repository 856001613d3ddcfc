// SPDX-License-Identifier: Apache-2.0

/// Constants of `dsp`: the regions of a block's operand memory, and what the row of blocks does.
package montcore_dsp_pkg;

  // Regions of an operand memory.
  localparam logic [1:0] RegionA = 2'd0;  // the operand A
  localparam logic [1:0] RegionScaled = 2'd1;  // M''
  localparam logic [1:0] RegionM = 2'd2;  // m
  localparam logic [1:0] RegionInverse = 2'd3;  // the low words of M'

  // Operations of the row.
  localparam logic [1:0] OpProduct = 2'd0;  // a product
  localparam logic [1:0] OpDigits = 2'd1;  // q for its reduction
  localparam logic [1:0] OpReduce = 2'd2;  // the reduction

endpackage
