// SPDX-License-Identifier: Apache-2.0

/// What travels through the pipeline stages of the paper's schedule.
package smm_paper_pkg;

  /// What the row of processing elements does in one cycle.
  typedef enum logic [2:0] {
    SlotIdle,      // adds nothing: the words at hand stay as they are
    SlotPlq,       // row of X times y[0], for the quotient digits (steps 1 to 5)
    SlotY,         // x[i] times a row of Y (steps 13 to 15)
    SlotM,         // q times a row of M (steps 16 to 18)
    SlotResolve,   // shift the last time and add the carries of a row
    SlotSubtract,  // subtract a row of M (steps 28 and 29)
    SlotRestore,   // add it again if the difference was negative
    SlotCorrect    // add the carries that remain
  } smm_slot_e;

  /// One slot; its row number travels beside it.
  typedef struct packed {
    smm_slot_e kind;
    logic      first;   // row 0 of its pass
    logic      last;    // last row of its pass
    logic      fresh;   // the sum starts from nothing
    logic      result;  // an idle slot that fetches the first row of a finished result
  } smm_slot_t;

endpackage
