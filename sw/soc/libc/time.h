/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIRMWARE_TIME_H
#define FIRMWARE_TIME_H

typedef long time_t;

#endif
