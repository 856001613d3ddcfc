// SPDX-License-Identifier: Apache-2.0

/// Control of a slot in the pipeline stages of the paper's schedule.
package montcore_smm_paper_pkg;

  /// Operation of the row of processing elements in one cycle.
  typedef enum logic [2:0] {
    SlotIdle = 3'd0,  // adds nothing: the present words are unchanged
    SlotPlq = 3'd1,  // row of X times y[0], for the quotient digits (steps 1 to 5)
    SlotY = 3'd2,  // x[i] times a row of Y (steps 13 to 15)
    SlotM = 3'd3,  // q times a row of M (steps 16 to 18)
    SlotResolve = 3'd4,  // final shift, and add the carries of a row
    SlotSubtract = 3'd5,  // subtract a row of M (steps 28 and 29)
    SlotRestore = 3'd6,  // add it again if the difference was negative
    SlotCorrect = 3'd7  // add the remaining carries
  } smm_slot_e;

  /// Flags of a slot; its operation and row index accompany them.
  typedef struct packed {
    logic first;   // row 0 of its pass
    logic last;    // last row of its pass
    logic fresh;   // the sum starts from zero
    logic result;  // an idle slot that fetches the first row of a finished result
  } smm_slot_t;

endpackage
