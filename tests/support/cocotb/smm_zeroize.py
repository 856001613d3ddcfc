# SPDX-License-Identifier: Apache-2.0
"""After zeroize no register and no memory word depends on data."""

import re
from typing import Any

import cocotb
from smm_port import Answer, Bench

from montcore.model.spec import montgomery_product

ERROR_NO_MODULUS = 6

#: Control registers: position in a data-independent schedule, and status.
CONTROL = (
    r".*\.(write|read)_q",  # positions of the queues of T and F in their memories
    r"g_fast\.u_fast\.slot_[mac]_q",
    r"g_fast\.u_fast\.u_sequencer\.\w+_q",
    r"g_fast\.u_fast\.u_output\.error_q",
    r"g_fast\.u_fast\.u_array\.g_queue\.(one_row|two_rows)_q",  # how many rows are in use
    r"u_front\.u_sweep\.index_q",
    r"u_front\.u_loader\.no_modulus_q",
    r"g_paper\.u_paper\.(kind|slot|row)_[ma]_q",
    r"g_paper\.u_paper\.u_sequencer\.\w+_q",
    r"g_paper\.u_paper\.g_ours\.u_array\.first_q",
    r"g_paper\.u_paper\.u_output\.row_q",
)

#: Values other than zero that data registers hold, with the reasons.
CONSTANTS = {
    r"u_front\.u_config\.(words|rows)_o": (1, "the length in force before a modulus is loaded"),
    r"g_(fast\.u_fast\.g_multiplier\.g_plain|paper\.u_paper\.u_digit)\.u_quotient\.factor_q": (
        1,
        "the factor from which Newton's method starts",
    ),
    r"u_front\.u_loader\.last_q": (1, "the first word is the last one of that length"),
    r"g_fast\.u_fast\.u_output\.g_register\.last_q": (1, "the same"),
    r"g_fast\.u_fast\.u_compare\.(g_at_once\.)?at_least_q": (3, "0 >= 0 and 0 >= 2 * 0"),
    r"g_fast\.u_fast\.u_compare\..*\.chain_q": (1, "0 - 0 = 0 + ~0 + 1 carries out"),
    r"g_fast\.u_fast\.u_output\.g_words_on_time\.carry_q": (
        1,
        "no borrow into the first word of a result",
    ),
}


def registers(scope: Any, path: str = "") -> dict[str, str]:
    """Return every register and memory word below a scope, by path, in binary.

    Register names end in _q, except outputs of the configuration that are registers.
    """
    found: dict[str, str] = {}
    outputs = {"loaded_o", "words_o", "rows_o", "error_o", "done_o", "setup_o"}
    for child in scope:
        name = f"{path}{child._name}"
        kind = type(child).__name__
        if kind.startswith("Hierarchy"):
            found.update(registers(child, f"{name}."))
        elif child._name.endswith("_q") or (path == "u_front.u_config." and child._name in outputs):
            if kind == "ArrayObject":
                found.update({f"{name}[{n}]": str(child[n].value) for n in child.range})
            else:
                found[name] = str(child.value)
    return found


def is_control(name: str) -> bool:
    return any(re.fullmatch(pattern, name) for pattern in CONTROL)


def left_over(state: dict[str, str], w: int) -> list[str]:
    """Return the data registers that hold neither zero nor their documented constant."""
    pairs = {
        # A lane's product of 0 in carry-save form: the multiplier adds 2^(2w).
        r"(.*\.u_pe\.(?:g_plain\.)?)sum_q": ("carry_q", 2 * w + 1, 1 << (2 * w)),
        # Only its high word, with the corresponding part of that constant.
        r"(g_fast\.u_fast\.u_array\.)edge_sum_q": ("edge_carry_q", w + 1, 1 << w),
        r"(g_paper\.u_paper\.g_ours\.u_array\.g_edge\.)sum_q": (
            "carry_q",
            2 * w + 2,
            (1 << w) | (1 << (2 * w + 1)),
        ),
        # The small multiplier's product of 0; only its low w bits are computed.
        r"(.*\.u_quotient\.)sum_q": ("carry_q", w, 0),
    }
    found, partners = [], set()
    for name, value in state.items():
        for pattern, (partner, width, constant) in pairs.items():
            if match := re.fullmatch(pattern, name):
                other = match[1] + partner
                partners |= {name, other}
                if (int(value, 2) + int(state[other], 2)) % (1 << width) != constant:
                    found.append(f"{name} + {partner} = {value} + {state[other]}")
    for name, value in state.items():
        if name in partners or is_control(name) or value.strip("0") == "":
            continue
        expected = [c for pattern, (c, _) in CONSTANTS.items() if re.fullmatch(pattern, name)]
        if not expected or "X" in value.upper() or int(value, 2) != expected[0]:
            found.append(f"{name} = {value}")
    return found


async def disturb(bench: Bench, after: int, m: int, x: int, y: int, ready: float) -> dict[str, str]:
    """Zeroize `after` cycles into the configuration and some products; return the state after it.

    For equal `after`, everything except the numbers is the same.
    """
    words = bench.config.words(bench.config.bits)
    bench.z_ready = ready
    bench.cfg.send(bench.split(m, words))
    for _ in range(4):
        bench.multiply(x, y, words)
    for _ in range(after):
        await bench.cycle()
    await bench.pulse("zeroize_i")
    bench.forget()
    await bench.cycle()
    bench.forget()  # in the first cycle a result beat may still be valid
    assert bench.flag("busy_o"), "zeroize is not under way"
    await bench.until(lambda: not bench.flag("busy_o"), limit=1000)
    bench.forget()
    bench.z_ready = 1.0
    return registers(bench.dut)


@cocotb.test()
async def nothing_is_left(dut: Any) -> None:
    """Zeroize at any time in a run; then the core works once a modulus is reloaded."""
    bench = Bench(dut, 31)
    await bench.start()
    config = bench.config
    bits, w, words = config.bits, config.w, config.words(config.bits)
    product = 2 * words * config.rows(bits)
    moments = [*range(1, words + 40, 9), *range(words + 40, words + 60 + 2 * product, 19)]
    ever_set: set[str] = set()
    largest = (1 << bits) - 1
    other = bench.random.getrandbits(bits) | 1 | (1 << (bits - 1))
    for after in [moments[0], *moments]:
        ready = 1.0 if after % 2 else 0.0
        states = []
        for m in (largest, other):
            state = await disturb(bench, after, m, m - 1, m - 2, ready)
            assert len(state) > 60, "the walk through the hierarchy misses most of it"
            found = left_over(state, w)
            assert not found, f"zeroize after {after} cycles leaves {found}"
            states.append(state)
            bench.multiply(0, 0, words)
            assert await bench.results(1) == [Answer((ERROR_NO_MODULUS,), True)]
            assert await bench.load(m, words) == 0
            for x, y in ((m - 1, m - 2), (m - 1, m - 1)):
                bench.multiply(x, y, words)
            for _ in range(words + product // 2 + 2):
                await bench.cycle()
            before = registers(dut)
            ever_set |= {name for name, value in before.items() if "1" in value}
            await bench.until(lambda: bench.flag("z_valid_o"))
            before = registers(dut)
            ever_set |= {name for name, value in before.items() if "1" in value}
            for (x, y), answer in zip(
                ((m - 1, m - 2), (m - 1, m - 1)), await bench.results(2), strict=True
            ):
                z = montgomery_product(x, y, m, words * w)
                assert bench.value(answer, words) == z
            before = registers(dut)
            ever_set |= {name for name, value in before.items() if "1" in value}
            await bench.idle()
        different = [
            name
            for name in states[0]
            if states[0][name] != states[1][name] and not re.search(r"\.(write|read)_q$", name)
        ]
        if "X" in "".join(states[0].values()):
            continue  # the first round: part of the control has not been used yet
        assert not different, f"zeroize after {after} cycles: {different} depend on data"
    # A register that was never set proves nothing.
    used = {re.sub(r"\[\d+\]$", "", name) for name in ever_set}
    data = {re.sub(r"\[\d+\]$", "", name) for name in states[0] if not is_control(name)}
    stores = r"u_m_check\.|g_\w+\.(u_memory\.[ug]_|u_(fast|paper)\.(g_\w+\.)?u_array\.)"
    arrays = {name for name in data if re.match(stores, name)}
    single = r"(carry(_\d)?|kappa|generate|propagate)_q$"
    kappa = {name for name in arrays if re.search(single, name)}
    assert len(arrays) > 8 and arrays - kappa <= used, (
        f"{arrays - kappa - used} never held anything"
    )
