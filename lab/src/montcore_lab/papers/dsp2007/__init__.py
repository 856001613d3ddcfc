# SPDX-License-Identifier: Apache-2.0
"""dsp48-2007."""
