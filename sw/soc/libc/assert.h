/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FIRMWARE_ASSERT_H
#define FIRMWARE_ASSERT_H

#define assert(condition) ((void)0)
#ifndef static_assert
#define static_assert _Static_assert
#endif

#endif
