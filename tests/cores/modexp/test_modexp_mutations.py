# SPDX-License-Identifier: Apache-2.0
"""Faults in `modexp`, all in one build: random sequences must catch every one of them."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.sequences import ExponentiatorPort
from montcore.sim.build import RtlBuild
from montcore.verification.sequences import sequences


@dataclass(frozen=True)
class Mutation:
    """In `context`, which occurs once in the exponentiator's own files, `old` becomes `new`."""

    name: str
    context: str
    old: str
    new: str


#: The multiplier's beats, which the output stage does not use.
BEATS = "mul_beats_i"
BASE = "(x_index_q == host_beats_q - 1) != x_last_i || x_index_q >= host_beats_q"
BASE_CONTEXT = f"x_beat_bad = {BASE};"

MUTATIONS = [
    Mutation(
        "a zero beat counts as the top beat",
        "if (cfg_data_i != '0) top_beat_q <= index_i;",
        "cfg_data_i != '0",
        "1'b1",
    ),
    Mutation(
        "the output does not wait for the consumer",
        "(state_q == StOutput && z_wait_i)",
        "z_wait_i",
        "1'b0",
    ),
    Mutation("length of the base's packet is not checked", BASE_CONTEXT, BASE, "1'b0"),
    Mutation(
        "a short packet of the base passes",
        BASE_CONTEXT,
        BASE,
        "x_index_q >= host_beats_q - 1 && !(x_index_q == host_beats_q - 1 && x_last_i)",
    ),
    Mutation(
        "a long packet of the base passes",
        BASE_CONTEXT,
        BASE,
        "x_index_q < host_beats_q - 1 && x_last_i",
    ),
    Mutation(
        "bits above the policy pass",
        "(y_data_i >> (HeaderBits + 2)) != '0",
        "(y_data_i >> (HeaderBits + 2)) != '0",
        "1'b0",
    ),
    Mutation(
        "length of the exponent loses its top bit",
        "y_data_i[HeaderBits-1:0] > HeaderBits'(Length)",
        "y_data_i[HeaderBits-1:0] > HeaderBits'(Length)",
        "y_data_i[HeaderBits-2:0] > LengthBits'(Length)",
    ),
    Mutation(
        "an exponent's header alone passes",
        "if (y_last_i || bad_e_length)",
        "y_last_i || bad_e_length",
        "bad_e_length",
    ),
    Mutation(
        "beats of the modulus and exponent are not counted",
        "assign beat_bad = placed_last != (room_q <= LengthBits'(Width))",
        "placed_last != (room_q <= LengthBits'(Width))",
        "1'b0",
    ),
    Mutation(
        "bits above the length pass",
        "above[k] = placed[k] && LengthBits'(k) >= room_q;",
        "placed[k] && LengthBits'(k) >= room_q",
        "1'b0",
    ),
    Mutation(
        "length of the second factor is not checked",
        "factor_q && y_last_i && y_index_q != host_beats_q - 1",
        "y_index_q != host_beats_q - 1",
        "1'b0",
    ),
    Mutation(
        "length of the modulus loses its top bits",
        "cfg_data_i > Width'(Length)",
        "cfg_data_i > Width'(Length)",
        "LengthBits'(cfg_data_i) > LengthBits'(Length)",
    ),
    Mutation(
        "a modulus of one bit passes", "cfg_data_i < Width'(2)", "cfg_data_i < Width'(2)", "1'b0"
    ),
    Mutation(
        "a modulus that does not fit is taken",
        "(length_bad_q || m_bad_q || !m_odd_q",
        "length_bad_q || m_bad_q",
        "length_bad_q",
    ),
    Mutation(
        "only the lowest beat shows that a modulus is not one",
        "(index_i != '0 && cfg_data_i[0])",
        "cfg_data_i[0]",
        "1'b0",
    ),
    Mutation(
        "a refused modulus leaves the old one in force",
        "loaded_q <= 1'b0;\n          if (packets_i.cfg_beat)",
        "1'b0",
        "loaded_q",
    ),
    Mutation(
        "the answer is cleared before it is taken",
        "state_q == StLast && !z_wait_i",
        "!z_wait_i",
        "1'b1",
    ),
    Mutation(
        "a result leaves after zeroize",
        "if (!rst_ni || forget) begin\n      z_valid_o",
        "forget",
        "(clear && forget)",
    ),
    Mutation(
        "a pulse leaves after zeroize",
        "if (!rst_ni || forget_i) begin\n      state_q ",
        "forget_i",
        "(clear_i && forget_i)",
    ),
    Mutation(
        "the multiplier does not get its modulus again",
        "state_q <= loaded_q ? StConfigure : StIdle",
        "loaded_q",
        "1'b0",
    ),
    Mutation("range of the first factor is not checked", "x_bad_q <= !below_i", "!below_i", "1'b0"),
    Mutation(
        "range of the base is not checked", "y_short_q || !below_i || x_bad_q", "!below_i", "1'b0"
    ),
    Mutation("an exponent of zero passes", "!(e_nonzero_q || by_factor)", "e_nonzero_q", "1'b1"),
    Mutation(
        "the last beat is that of the multiplier",
        "z_last_o  <= index == host_beats - 1",
        "host_beats - 1",
        f"{BEATS} - 1",
    ),
    Mutation(
        "the shifted modulus keeps its lowest beat",
        "~{Width{route_i.shifted && transfer_i.first}}",
        "route_i.shifted && transfer_i.first",
        "1'b0",
    ),
    Mutation(
        "the modulus is not shifted",
        "route_i.shifted ? AddrBits'(index_i)",
        "route_i.shifted",
        "1'b0",
    ),
    Mutation(
        "the factor of R^2 is the one that leaves the domain",
        "(state_q == StPowerFactor) ? power_factor",
        "state_q == StPowerFactor",
        "1'b0",
    ),
    Mutation(
        "the seed stays above a base",
        "seed_to_chosen = state_i == StPower || keep;",
        "state_i == StPower || keep",
        "state_i == StPower",
    ),
    Mutation("a long exponent has no table", "state_q <= single ? StTableEnd", "single", "sliding"),
    Mutation(
        "beats of the multiplier leave", "transfer.move && index < host_beats", "host_beats", BEATS
    ),
]


@dataclass(frozen=True)
class Mutants:
    """One build with all mutations; a file selects the active one."""

    design: ExponentiatorDesign
    rtl: RtlBuild
    chosen: Path

    def failing(self, number: int, count: int) -> bool:
        """Tell whether random sequences fail with a mutation, or with none for 0."""
        self.chosen.write_text(f"{number:x}\n")
        return bool(sequences(ExponentiatorPort(self.design, self.rtl), count, seed=1).failed)


@pytest.fixture(scope="module")
def mutants(tmp_path_factory: pytest.TempPathFactory) -> Mutants:
    """The exponentiator with every mutation behind a switch that is read at the start of a run."""
    folder = tmp_path_factory.mktemp("mutants")
    core = get_core("dsp")
    design = ExponentiatorDesign(core.configure({"alpha": "2"}, 72))
    build = design.build()
    chosen = folder / "chosen.hex"
    own = {path: path.read_text() for path in build.sources if path.stem.startswith(build.top)}
    sites = dict.fromkeys((item.context, item.old) for item in MUTATIONS)
    for context, old in sites:
        (source,) = (path for path, text in own.items() if context in text)
        assert own[source].count(context) == 1 and context.count(old) == 1, context
        choices = "".join(
            f"mutant[0] == {number} ? ({item.new}) : "
            for number, item in enumerate(MUTATIONS, start=1)
            if (item.context, item.old) == (context, old)
        )
        own[source] = own[source].replace(context, context.replace(old, f"({choices}({old}))"))
    choice = f'\n);\n  int mutant[1];\n  initial $readmemh("{chosen}", mutant);\n'
    for source, text in own.items():
        if "mutant[0]" in text:
            own[source] = text.replace("\n);\n", choice, 1)
        (folder / source.name).write_text(own[source])
    sources = tuple(folder / path.name if path in own else path for path in build.sources)
    return Mutants(design, replace(build, sources=sources), chosen)


@pytest.mark.nightly  # test_sim_sequences.py has exponentiators, and faults of a small core
def test_random_sequences_accept_the_exponentiator(mutants: Mutants) -> None:
    assert not mutants.failing(0, 200)


@pytest.mark.parametrize(
    "number", range(1, len(MUTATIONS) + 1), ids=lambda n: MUTATIONS[n - 1].name
)
@pytest.mark.nightly
def test_random_sequences_catch(mutants: Mutants, number: int) -> None:
    assert mutants.failing(number, 20_000)
