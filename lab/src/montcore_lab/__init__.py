# SPDX-License-Identifier: Apache-2.0
"""Keeps the claims of montcore true: papers, peers, pages with figures, site, lint and proofs.

It works on a checkout; montcore never imports it. Its verbs reach the command line as entry points.
"""
