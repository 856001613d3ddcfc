# SPDX-License-Identifier: Apache-2.0
"""mmm-mx-2006."""
