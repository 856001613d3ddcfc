/* SPDX-License-Identifier: Apache-2.0
 *
 * Products, squares and reductions of any length, in one file because of small instruction caches.
 */
#include "rows.inc"
#include "mul.inc"
#include "sqr.inc"
#include "redc.inc"
