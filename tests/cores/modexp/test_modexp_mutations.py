# SPDX-License-Identifier: Apache-2.0
"""Faults in `modexp`, all in one build: random sequences must catch every one of them."""

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import pytest

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.sequences import ExponentiatorPort
from montcore.sim.build import RtlBuild
from montcore.verification.sequences import sequences


class Mutation(NamedTuple):
    """What is marked in `site`, a text that occurs once in the exponentiator, becomes `new`."""

    name: str
    site: str
    new: str


BASE = "x_beat_bad = «(x_index_q == host_beats_q - 1) != x_last_i || x_index_q >= host_beats_q»;"
#: The output stage does not use the multiplier's beats, `mul_beats_i`.
CASES = [
    (
        "a zero beat counts as the top beat",
        "if («cfg_data_i != '0») top_beat_q <= index_i;",
        "1'b1",
    ),
    ("the output does not wait for the consumer", "(state_q == StOutput && «z_wait_i»)", "1'b0"),
    ("length of the base's packet is not checked", BASE, "1'b0"),
    (
        "a short packet of the base passes",
        BASE,
        "x_index_q >= host_beats_q - 1 && !(x_index_q == host_beats_q - 1 && x_last_i)",
    ),
    ("a long packet of the base passes", BASE, "x_index_q < host_beats_q - 1 && x_last_i"),
    ("bits above the policy pass", "«(y_data_i >> (HeaderBits + 2)) != '0»", "1'b0"),
    (
        "length of the exponent loses its top bit",
        "«y_data_i[HeaderBits-1:0] > HeaderBits'(Length)»",
        "y_data_i[HeaderBits-2:0] > LengthBits'(Length)",
    ),
    ("an exponent's header alone passes", "if («y_last_i || bad_e_length»)", "bad_e_length"),
    (
        "beats of the modulus and exponent are not counted",
        "assign beat_bad = «placed_last != (room_q <= LengthBits'(Width))»",
        "1'b0",
    ),
    ("bits above the length pass", "above[k] = «placed[k] && LengthBits'(k) >= room_q»;", "1'b0"),
    (
        "length of the second factor is not checked",
        "factor_q && y_last_i && «y_index_q != host_beats_q - 1»",
        "1'b0",
    ),
    (
        "length of the modulus loses its top bits",
        "«cfg_data_i > Width'(Length)»",
        "LengthBits'(cfg_data_i) > LengthBits'(Length)",
    ),
    ("a modulus of one bit passes", "«cfg_data_i < Width'(2)»", "1'b0"),
    (
        "a modulus that does not fit is taken",
        "(«length_bad_q || m_bad_q» || !m_odd_q",
        "length_bad_q",
    ),
    (
        "only the lowest beat shows that a modulus is not one",
        "(index_i != '0 && «cfg_data_i[0]»)",
        "1'b0",
    ),
    (
        "a refused modulus leaves the old one in force",
        "loaded_q <= «1'b0»;\n          if (packets_i.cfg_beat)",
        "loaded_q",
    ),
    ("the answer is cleared before it is taken", "state_q == StLast && «!z_wait_i»", "1'b1"),
    (
        "a result leaves after zeroize",
        "if (!rst_ni || «forget») begin\n      z_valid_o",
        "(clear && forget)",
    ),
    (
        "a pulse leaves after zeroize",
        "if (!rst_ni || «forget_i») begin\n      state_q ",
        "(clear_i && forget_i)",
    ),
    (
        "the multiplier does not get its modulus again",
        "state_q <= «loaded_q» ? StConfigure : StIdle",
        "1'b0",
    ),
    ("range of the first factor is not checked", "x_bad_q <= «!below_i»", "1'b0"),
    ("range of the base is not checked", "y_short_q || «!below_i» || x_bad_q", "1'b0"),
    ("an exponent of zero passes", "!(«e_nonzero_q» || by_factor)", "1'b1"),
    (
        "the last beat is that of the multiplier",
        "z_last_o  <= index == «host_beats - 1»",
        "mul_beats_i - 1",
    ),
    (
        "the shifted modulus keeps its lowest beat",
        "~{Width{«route_i.shifted && transfer_i.first»}}",
        "1'b0",
    ),
    ("the modulus is not shifted", "«route_i.shifted» ? AddrBits'(index_i)", "1'b0"),
    (
        "the factor of R^2 is the one that leaves the domain",
        "(«state_q == StPowerFactor») ? power_factor",
        "1'b0",
    ),
    (
        "the seed stays above a base",
        "seed_to_chosen = «state_i == StPower || keep»;",
        "state_i == StPower",
    ),
    ("a long exponent has no table", "state_q <= «single» ? StTableEnd", "sliding"),
    ("beats of the multiplier leave", "transfer.move && index < «host_beats»", "mul_beats_i"),
]
MUTATIONS = [Mutation(*case) for case in CASES]


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
    for site in dict.fromkeys(item.site for item in MUTATIONS):
        before, old, after = re.split("[«»]", site)
        context = f"{before}{old}{after}"
        (source,) = (path for path, text in own.items() if context in text)
        assert own[source].count(context) == 1, context
        choices = "".join(
            f"mutant[0] == {number} ? ({item.new}) : "
            for number, item in enumerate(MUTATIONS, start=1)
            if item.site == site
        )
        own[source] = own[source].replace(context, f"{before}({choices}({old})){after}")
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
