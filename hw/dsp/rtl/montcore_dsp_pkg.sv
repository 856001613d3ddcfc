// SPDX-License-Identifier: Apache-2.0

/// Constants of `dsp`: regions of a block's operand memory, and operations of the row.
package montcore_dsp_pkg;

  // Regions of an operand memory.
  localparam logic [1:0] RegionA = 2'd0;  // operand A, or S of a product that is to be reduced
  localparam logic [1:0] RegionScaled = 2'd1;  // constant M''
  localparam logic [1:0] RegionM = 2'd2;  // modulus m
  localparam logic [1:0] RegionInverse = 2'd3;  // in the first block M', elsewhere RegionM

  // Operations of the row.
  localparam logic [1:0] OpProduct = 2'd0;  // product
  localparam logic [1:0] OpDigits = 2'd1;  // quotient digits for the reduction
  localparam logic [1:0] OpReduce = 2'd2;  // reduction of the product
  localparam logic [1:0] OpSetup = 2'd3;  // constant M'' = (1 + M' m) / 2^34, as a reduction of 1

endpackage
