/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "montcore_pka.h"

/* Tests of the accelerator by itself. Returns the number of those that failed. */
unsigned firmware_self_test(montcore_pka *pka);

/* Signatures three ways, each with its cycles. Returns the number of those that failed. */
unsigned firmware_measure_rsa(montcore_pka *pka);

#endif
