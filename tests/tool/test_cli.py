# SPDX-License-Identifier: Apache-2.0
"""The fixed contract of the command line: JSON, exit statuses, one sentence for a wrong request.

Interruptions while it starts, and output that cannot be written, end in one sentence too.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from command_line import Tool
from fixture_core import FixtureCore
from programs import output_of, program, wait_until
from typer.main import get_command

import montcore.cli as package
from montcore.cli import main as cli
from montcore.compare.atlas import recall
from montcore.compare.measure import point_key
from montcore.compare.point import survey
from montcore.cores import registered
from montcore.model.fields import get_field
from montcore.model.spec import montgomery_product
from montcore.synth.store import ResultStore

SMM = ["smm", "--set", "npe=2", "--set", "w=16"]


@pytest.fixture
def fixture_registered() -> Iterator[None]:
    with registered(FixtureCore):
        yield


def test_list_names_cores_and_fields(tool: Tool) -> None:
    content = tool.json("list")
    assert "smm" in [item["core"] for item in content["cores"]]
    assert len(content["fields"]) == 8 and "Artix-7" in content["targets"]["xc7"]
    asked = ("recommend", "--bits", "256", "--targets")
    tool.refuses("'artix7' (did you mean xc7?); the targets are osu018 (an ", *asked, "artix7")
    tool.refuses("one at a time", "recommend", "--bits", "384,512")
    # The cores' reason is said once.
    assert tool.refuses("no core", "recommend", "--bits", "8192").count("4096") == 1
    out = tool("list")
    assert "smm" in out and "p521r1" in out


def test_mul_json_is_the_contract(tool: Tool) -> None:
    words = ("--field", "P-192", "--x", "0x1234", "--y", "ABCD")
    content = tool.json("mul", *SMM, *words, "--engine", "model")  # the next test has the RTL
    assert list(content) == ["core", "params", "z", "cycles", "core_cycles", "r_bits"]
    p = get_field("p192r1").p
    assert content["core"] == "smm"
    assert content["params"]["npe"] == 2 and content["params"]["w"] == 16
    assert int(content["z"], 16) == montgomery_product(0x1234, 0xABCD, p, content["r_bits"])
    assert content["r_bits"] == 192 and content["cycles"] >= content["core_cycles"] > 0


def test_mul_of_rtl_and_model_agree(tool: Tool) -> None:
    request = ["mul", *SMM, "--modulus", "0xf123456789abcdef", "--x", "0xfedcba", "--y", "7"]
    rtl = tool.json(*request)
    assert rtl == tool.json(*request, "--engine", "model")
    assert rtl["z"] != "0x0"


def test_mul_in_the_plain_domain(tool: Tool) -> None:
    request = ["mul", *SMM, "--modulus", "fffffffb", "--x", "12345678", "--y", "9abcdef0"]
    request += ["--bits", "64"]  # as in other tests, which share its simulator
    content = tool.json(*request, "--domain", "plain")
    assert int(content["z"], 16) == 0x12345678 * 0x9ABCDEF0 % 0xFFFFFFFB
    assert content["z"] != tool.json(*request)["z"]


def test_mul_on_a_wider_core_and_at_another_length(tool: Tool) -> None:
    request = ["mul", *SMM, "--modulus", "fffb", "--x", "1234", "--y", "9abc", "--bits", "64"]
    full, short = tool.json(*request), tool.json(*request, "--length", "16")
    assert (full["r_bits"], short["r_bits"]) == (64, 16)
    for content in (full, short):
        z = montgomery_product(0x1234, 0x9ABC, 0xFFFB, content["r_bits"])
        assert int(content["z"], 16) == z
    assert short["cycles"] < full["cycles"]


def test_mul_for_people(tool: Tool) -> None:
    request = ["mul", *SMM, "--modulus", "fffb", "--bits", "64", "--x", "0", "--y", "1"]
    status, out, err = tool.run(*request)
    assert (status, err) == (0, "") and "core_cycles" in out and "0x0" in out


@pytest.mark.nightly  # every run has that of test_sim_build.py
def test_wave_of_mul(tool: Tool, fixture_registered: None, tmp_path: Path) -> None:
    wave = tmp_path / "mul.fst"  # by the simulator of a wave in test_sim_build.py
    tool("mul", "fixture", "--modulus", "fffb", "--x", "1", "--y", "1", "--wave", wave)
    assert wave.stat().st_size > 1000


MUL = ["mul", *SMM, "--x", "3", "--y", "5"]

WRONG_REQUESTS = [
    ([*MUL, "--modulus", "10"], "the modulus must be odd and at least 3, not even"),
    ([*MUL, "--modulus", "0"], "the modulus must be odd and at least 3, not zero"),
    ([*MUL, "--modulus", "1"], "the modulus must be odd and at least 3, not one"),
    ([*MUL, "--modulus", "0x"], "'0x' is not a hexadecimal number"),
    ([*MUL, "--modulus", "1_1"], "'1_1' is not a hexadecimal number"),
    ([*MUL, "--modulus", "xyz"], "'xyz' is not a hexadecimal number"),
    ([*MUL, "--modulus", "3"], "operand x is not below the modulus"),
    ([*MUL, "--modulus", "5"], "operand y is not below the modulus"),
    ([*MUL, "--modulus", "1ffff", "--bits", "16"], "17 bits, more than the 16 bits of the core"),
    ([*MUL, "--modulus", "ffff1", "--bits", "32", "--length", "33"], "between 2 and 32 bits"),
    ([*MUL, "--modulus", "ffff1", "--bits", "32", "--length", "16"], "of the run-time length"),
    ([*MUL, "--modulus", "ffff1", "--bits", "many"], "--bits"),
    ([*MUL, "--field", "p257"], "there is no field 'p257'"),
    ([*MUL, "--field", "p256", "--modulus", "3"], "either --field or --modulus"),
    (MUL, "either --field or --modulus"),
    ([*MUL, "--modulus", "ffffffff1", "--engine", "fpga"], "--engine takes rtl or model"),
    ([*MUL, "--modulus", "ffffffff1", "--domain", "x"], "--domain takes montgomery or plain"),
    ([*MUL, "--field", "p192", "--set", "npe"], "--set takes K=V, not 'npe'"),
    ([*MUL, "--field", "p192", "--set", "npe=1"], "'npe' twice"),
    ([*MUL, "--field", "p192", "--set", "speed=1"], "no parameter 'speed'"),
    (["mul", "smm", "--set", "npe=0", "--field", "p192", "--x", "1", "--y", "1"], "npe"),
    (["mul", "smm", "--set", "w=7", "--field", "p192", "--x", "1", "--y", "1"], "word size"),
    (["mul", "nosuch", "--field", "p192", "--x", "1", "--y", "1"], "there is no core 'nosuch'"),
    (["mul", *SMM, "--field", "p192", "--x", "1"], "--y"),
    (["mul", *SMM, "--field", "p192", "--x", "1", "--y", "1", "--colour"], "--colour"),
    (["mul", *SMM, "--field", "p192", "--x", "1", "--y", "-1"], "'-1' is not a hexadecimal"),
    (["multiply"], "multiply"),
    (["verify", *SMM], "give the width: either --bits or, for a multiplier, --field"),
    (
        ["verify", *SMM, "--field", "p192", "--bits", "192"],
        "give the width: either --bits or, for a multiplier, --field",
    ),
    (["verify", *SMM, "--bits", "64", "--random", "0"], "--random"),
    (["verify", *SMM, "--bits", "64", "--seed", "-1"], "--seed"),
    (["verify", *SMM, "--bits", "64", "--exhaustive"], "at most 9 bits"),
    (["verify", *SMM, "--bits", "64", "--vectors", "no/such/file"], "no/such/file is neither"),
    (["verify", *SMM, "--bits", "64", "--vectors", "nosuch"], "p256-montgomery, openssl-bnmod"),
    (["verify", *SMM, "--bits", "64", "--vectors", "prime-curves"], "no record of a product"),
    (["verify", *SMM, "--bits", "64", "--engine", "x"], "--engine takes rtl or model"),
    (["synth", *SMM, "--bits", "64", "--target", "abacus"], "abacus"),
    (["synth", *SMM, "--target", "osu018"], "--bits"),
]


@pytest.mark.parametrize(("arguments", "what"), WRONG_REQUESTS)
def test_wrong_request_is_one_sentence_and_status_two(
    tool: Tool, own_cache: Path, arguments: list[str], what: str
) -> None:
    for extra in ([], ["--json"]):
        tool.refuses(what, *arguments, *extra)
    assert not own_cache.exists(), "something was built for a request that cannot work"


def test_help_and_nothing_at_all(tool: Tool) -> None:
    status, out, err = tool.run("mul", "--help")
    assert status == 0 and "--modulus" in out and err == ""
    tool()


def test_verify_json_is_the_contract(tool: Tool) -> None:
    request = ["verify", *SMM, "--bits", "64", "--random", "100", "--seed", "7"]
    content = tool.json(*request)
    keys = ["checked", "failed", "rejected", "cycles_min", "cycles_max", "seed"]
    assert list(content) == keys
    assert content["checked"] >= 100 and content["failed"] == 0 and content["seed"] == 7
    assert content["cycles_min"] == content["cycles_max"] > 0
    assert content == tool.json(*request)


def test_failed_check_is_status_one_with_a_way_to_see_it_again(
    tool: Tool, fixture_registered: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("montcore.verification.checker.cache_dir", lambda: tmp_path)
    request = ["verify", "fixture", "--set", "bug=1", "--bits", "16", "--seed", "4"]
    status, out, err = tool.run(*request, "--json")
    assert status == 1 and json.loads(out)["failed"] > 0
    first = err.splitlines()[:3]
    assert first[0].startswith("FAILED (seed 4): ") and "expected 0x0" in first[0]
    assert Path(first[2].removeprefix("  wave:  ")).is_file()
    # The command in the message fails in the same way.
    command = first[1].removeprefix("  again: montcore ").split()
    assert command[:2] == ["mul", "fixture"]
    status, out, err = tool.run(*command)
    assert (status, out) == (1, "")
    assert err.startswith("montcore: wrong result") and err.count("\n") == 1


def test_hang_is_status_one(tool: Tool, fixture_registered: None) -> None:
    request = ["mul", "fixture", "--set", "bug=2", "--modulus", "fffd", "--x", "a5", "--y", "3"]
    status, out, err = tool.run(*request)
    assert (status, out) == (1, "") and "no answer before the watchdog" in err


def test_real_process_shows_no_traceback() -> None:
    request = ["mul", "smm", "--modulus", "4", "--x", "1", "--y", "1", "--json"]
    done = program(sys.executable, "-m", "montcore", *request)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "montcore: the modulus must be odd and at least 3, not even\n"


@pytest.mark.parametrize(
    ("send", "bits", "delay"), [(os.killpg, 512, 0.0), (os.killpg, 512, 1.5), (os.kill, 64, 0.0)]
)
@pytest.mark.one_in(2)
def test_interrupted_command_ends_with_status_130(
    own_cache: Path, send: Callable[[int, int], None], bits: int, delay: float
) -> None:
    """With its compiler or simulator, or the Python process alone."""
    request = ["verify", *SMM, "--bits", str(bits), "--random", "5000000"]
    process = subprocess.Popen(
        [sys.executable, "-m", "montcore", *request],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert wait_until(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text)
    time.sleep(delay)
    send(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    *waits, last = err.splitlines()
    assert (process.returncode, out, last) == (130, "", "montcore: interrupted")
    assert all(line.startswith(("montcore: compiling", "montcore: verify")) for line in waits)
    assert not list(own_cache.glob("sim/*.tmp"))


def test_interrupt_just_before_or_after_a_command() -> None:
    """Outside of the part of the command line that takes interruptions itself."""
    code = (
        "import signal, montcore.__main__, montcore.cli.main as cli\n"
        "cli.run = lambda _: signal.raise_signal(signal.SIGINT)\n"
        "montcore.__main__.main()\n"
    )
    done = program(sys.executable, "-c", code)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "montcore: interrupted\n")


def test_a_new_verb_is_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: Tool
) -> None:
    (tmp_path / "greet.py").write_text(
        "ORDER = 15\n"
        "def greet(name: str) -> int:\n"
        "    '''Greet somebody.'''\n"
        "    print(f'hello {name}')\n"
        "    return 1\n"
        "def register(app):\n"
        "    app.command()(greet)\n"
    )
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    monkeypatch.setattr(cli, "app", cli.make_app())
    del sys.modules["montcore.cli.greet"]
    verbs = list(get_command(cli.app).commands)  # type: ignore[attr-defined]
    assert verbs.index("verify") < verbs.index("greet") < verbs.index("modexp")
    assert tool.run("greet", "x") == (1, "hello x\n", "")


def test_a_verb_of_a_distribution_that_is_gone_says_where_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Any other module that is missing is a fault of that distribution, and is not hidden."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "sound.py").write_text(
        "ORDER = 1\ndef register(app):\n    app.command('hum')(lambda: print('hm'))\n"
    )
    (tmp_path / "broken.py").write_text("import no_such_package\n")

    def verbs(**values: str) -> set[str]:
        found = [EntryPoint(name, value, cli.GROUP) for name, value in values.items()]
        monkeypatch.setattr(cli, "entry_points", lambda group: found)
        return {str(item.name) for item in cli.make_app().registered_commands if item.hidden}

    assert verbs(hum="sound") == {"papers", "peers", "mutate", "maintain", "riscv"}
    assert verbs(papers="sound", peers="gone.verb") == {"peers", "mutate", "maintain", "riscv"}
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        verbs(hum="broken")


def test_what_takes_long_is_imported_by_the_commands_that_need_it() -> None:
    heavy = ["numpy", "matplotlib", "cryptography", "montcore.compare", "montcore.synth"]
    code = f"import sys, montcore.cli.main; print([m for m in {heavy} if m in sys.modules])"
    assert output_of(sys.executable, "-c", code) == "[]\n"


#: Ends this process by Ctrl-C at the given import after those of the package and of its command.
INTERRUPTED = """
import os, sys
class Hook:
    left = 3 + {number}
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        cls.left -= 1
        if cls.left == 0:
            os.kill(os.getpid(), 2)
sys.meta_path.insert(0, Hook)
sys.argv = ["montcore", {verb}, "--json"]
from montcore.__main__ import main
main()
"""


@pytest.mark.parametrize("number", [0, 1, 2, 3, 5, 10, 20, 40, 80, 150, 250])
@pytest.mark.one_in(3)
def test_an_interruption_at_any_import_is_one_line(number: int) -> None:
    code = INTERRUPTED.format(number=number, verb="'list'")
    done = program(sys.executable, "-c", code)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "montcore: interrupted\n"


# ---- output ----------------------------------------------------------------------------------

PRODUCT = ["cs", "--modulus", "f1", "--x", "2", "--y", "3", "--engine", "model"]
VERBS = {
    "help": ["--help"],
    "version": ["--version"],
    "help of a verb": ["verify", "--help"],
    "list": ["list"],
    "mul": ["mul", *PRODUCT],
    "verify": ["verify", "cs", "--bits", "8", "--engine", "model", "--random", "4"],
    "recommend": ["recommend", "--bits", "256", "--targets", "xc7"],
    "build": ["build", "cs", "--bits", "8", "-o", "/dev/null/out"],
}


@pytest.mark.parametrize("json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("place", ["/dev/full", "read-only"])
def test_output_that_cannot_be_written_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verb: str,
    json: bool,
    place: str,
) -> None:
    words = VERBS[verb]
    number = os.open("/dev/null", os.O_RDONLY) if place == "read-only" else -1
    # What is left in the buffer fails again when the file is closed.
    with suppress(OSError), open(number if number >= 0 else place, "w") as stdout:  # noqa: PTH123
        monkeypatch.setattr("sys.stdout", stdout)
        status = cli.run([*words, "--json"] if json and "--" not in words[0] else words)
        monkeypatch.undo()
    said = capsys.readouterr().err.splitlines()
    assert status == (2 if verb == "build" else 1)
    assert said[-1].startswith("montcore: ") and "unexpected" not in said[-1]
    assert all(line.startswith("montcore: verify") for line in said[:-1]), said  # progress


@pytest.mark.parametrize("closed", [">&-", "<&-", "<&- >&- 2>&-", "2>&-"])
@pytest.mark.one_in(2)
def test_closed_streams_receive_no_file(closed: str, own_results: Path) -> None:
    """A file opened first must not get the number of standard output."""
    command = f"{sys.executable} -m montcore recommend --bits 256 --targets xc7 --json {closed}"
    done = program("sh", "-c", command)
    assert done.returncode == (1 if ">&-" in closed.replace("2>&-", "") else 0)
    assert "Traceback" not in done.stdout + done.stderr
    if closed == ">&-":
        assert done.stderr == (
            "montcore: the output cannot be written: standard output is closed\n"
        )


# ---- stores ----------------------------------------------------------------------------------


def test_rows_without_content_are_measured_again(own_results: Path) -> None:
    points = survey(8, cores=["cs"], targets=["xc7"]).points
    for point in points:
        ResultStore().put(point_key(point), {})
    assert recall(points).missing == list(points)


# ---- schedulers ------------------------------------------------------------------------------


@contextmanager
def server(answer: bytes | None) -> Iterator[str]:
    """Listen on a port; each connection gets the answer, or nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        kept: list[socket.socket] = []

        def serve() -> None:
            try:
                while True:
                    kept.append(listener.accept()[0])
                    if answer is not None:
                        kept[-1].sendall(answer)
            except OSError:
                pass

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        for connection in kept:
            connection.close()


@pytest.mark.parametrize(
    "answer", [None, b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 64, b"\xff" * 64, "nobody", "x:y"]
)
def test_what_is_no_scheduler_is_one_sentence_in_time(
    own_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tool: Tool,
    answer: bytes | str | None,
) -> None:
    monkeypatch.setattr("montcore.compare.cluster._TIMEOUT_S", 2)
    words = ["compare", "--bits", "8", "--cores", "cs", "--targets", "xc7", "--scheduler"]
    monkeypatch.chdir(tmp_path)
    if isinstance(answer, str):
        address = "tcp://127.0.0.1:9" if answer == "nobody" else answer
        tool.refuses(f"scheduler {address} is silent", *words, address, "-o", "out")
    else:
        with server(answer) as address:
            tool.refuses(f"scheduler {address} is silent", *words, address, "-o", "out")
