# SPDX-License-Identifier: Apache-2.0
"""`montcore build`: one configuration of a core, its test and its datasheet in one folder."""

from montcore.bundle.assemble import build
from montcore.bundle.parts import BundleResult, bundle_name
from montcore.bundle.runner import BenchOutcome, run_bundle_test

__all__ = ["BenchOutcome", "BundleResult", "build", "bundle_name", "run_bundle_test"]
