# SPDX-License-Identifier: Apache-2.0
"""Models of `smm` in integers, by the words of X.

The paper's schedule, S <- (S + x[i] Y + q M) / 2^w for each word, q = (S + x[i] Y) n0' mod 2^w.

The fast schedule (hw/smm/rtl/montcore_smm_fast.sv) consists of 2m passes over all m words:

    T = x[0] Y                                      A0 (a fresh sum)
    T = (T >> w) + x[n] Y,  T = T + low M'          A1 B0, A2 B1, ... where M' = (m n0' + 1) / 2^w
    T = T + q m,            q = low(T) n0'          the last pass, then S = T / 2^w < 3 m

low(T) is the lowest word of T; a B pass uses that of T before the A pass, so that no product of the
small multiplier (which computes q) lies between two steps. The order of the passes, the array that
makes them and the comparison of S with m and 2 m are proved (hw/smm/formal).
"""

from montcore.model.spec import Steps, check_operands, n0_inverse


def uncorrected_fast(w: int, words: int, x: int, y: int, m: int, steps: Steps | None = None) -> int:
    """Return S of the fast schedule, x y 2^(-w words) mod m below 3 m.

    Args:
        x: multiplier, below m.
        y: multiplicand, below m.
        m: modulus, odd, 3 <= m < 2^(w words).
        steps: takes low and T after each pair of passes, then q and T of the last one.
    """
    check_operands(x, y, m)
    mask = (1 << w) - 1
    inverse = n0_inverse(m, w)
    scaled = (m * inverse + 1) >> w
    total = (x & mask) * y
    for n in range(1, words):
        low = total & mask
        total = (total >> w) + (x >> w * n & mask) * y + low * scaled
        if steps is not None:
            steps.append({"low": low, "T": total})
    q = total * inverse & mask
    total += q * m
    if steps is not None:
        steps.append({"q": q, "T": total})
    if total & mask or total >> w >= 3 * m:
        raise AssertionError(f"S is not a whole number below 3 m: T = {total:#x}")
    return total >> w


def uncorrected_paper(
    w: int, words: int, x: int, y: int, m: int, steps: Steps | None = None
) -> int:
    """Return S of the paper's schedule, below 2 m (arguments as for `uncorrected_fast`).

    `steps` takes q and S after each word of x.
    """
    check_operands(x, y, m)
    mask = (1 << w) - 1
    inverse = n0_inverse(m, w)
    total = 0
    for n in range(words):
        total += (x >> w * n & mask) * y
        q = total * inverse & mask
        total = (total + q * m) >> w
        if steps is not None:
            steps.append({"q": q, "S": total})
    if total >= 2 * m:
        raise AssertionError(f"S = {total:#x} is not below 2 m")
    return total
