# SPDX-License-Identifier: Apache-2.0
"""Write the sets of vectors/ from the files of those who published them.

Usage: import_vectors.py FOLDER, which holds the published files under the names of `SETS`. Only
numbers and messages are kept: no comments, no keys in DER or PEM. vectors/README.md names the
sources.
"""

import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from montcore.support.paths import VECTORS_DIR

Record = dict[str, str]
#: Keys that a record takes from the one above if it does not state them.
INHERITED = ("M", "P", "Message", "Group", "Hash", "Verdict")


def number(text: str) -> str:
    """Return a hexadecimal number without 0x and leading zeros."""
    return f"{int(text, 16):x}"


def products(text: str) -> Iterator[Record]:
    """Yield the records of OpenSSL and BoringSSL that state a product or a power."""
    for paragraph in text.split("\n\n"):
        lines = [line for line in paragraph.splitlines() if line.strip() and line[0] != "#"]
        record = {key.strip(): value.strip() for key, _, value in (x.partition("=") for x in lines)}
        if record and "Title" not in record and record.get("Test") not in ("Negate", "PointAdd"):
            yield {key: v if key == "Test" else number(v) for key, v in record.items()}


def curves(text: str) -> Iterator[Record]:
    """Yield the curves of a JSON object that has them by name."""
    for name, entry in json.loads(text).items():
        values = {key.upper(): number(entry[key]) for key in ("p", "a", "b")}
        values |= {"X": number(entry["gx"]), "Y": number(entry["gy"]), "N": number(entry["n"])}
        yield {"Curve": name, **values, "H": f"{entry['h']:x}"}


def rsa_key(group: dict[str, Any], name: str) -> Record:
    """Return the key of a Wycheproof group of RSA signatures."""
    key = group.get("privateKey") or group["publicKey"]
    record = {"RsaKey": name, "N": number(key["modulus"]), "E": number(key["publicExponent"])}
    if "privateExponent" in key:
        record["D"] = number(key["privateExponent"])
    return record


def ec_key(group: dict[str, Any], name: str) -> Record:
    """Return the key of a Wycheproof group of ECDSA signatures."""
    key = group["publicKey"]
    return {"EcKey": name, "Group": key["curve"], "X": number(key["wx"]), "Y": number(key["wy"])}


def signatures(text: str, make_key: Callable[[dict[str, Any], str], Record]) -> Iterator[Record]:
    """Yield the keys of a Wycheproof file, each before the signatures by it.

    A number that follows the one before is the default.
    """
    last = 0
    for index, group in enumerate(json.loads(text)["testGroups"], start=1):
        yield {**make_key(group, str(index)), "Hash": group["sha"].replace("-", "").lower()}
        for test in group["tests"]:
            record = {"Signature": test["sig"] or '""', "Message": test["msg"] or '""'}
            record["Verdict"] = test["result"]
            if test["tcId"] != last + 1:
                record["Id"] = str(test["tcId"])
            last = test["tcId"]
            yield record


RSA = partial(signatures, make_key=rsa_key)
ECDSA = partial(signatures, make_key=ec_key)
#: Set, published file, reader.
SETS: tuple[tuple[str, str, Callable[[str], Iterator[Record]]], ...] = (
    ("openssl-bnmod", "openssl-bnmod.txt", products),
    ("boringssl-p256-montgomery", "boringssl-p256-montgomery.txt", products),
    ("boringssl-mod-inv", "boringssl-mod_inv.txt", products),
    ("prime-curves", "prime_curves.json", curves),
    ("wycheproof-rsa-1024", "wycheproof-rsa_pkcs1_1024_sig_gen.json", RSA),
    ("wycheproof-rsa-2048", "wycheproof-rsa_pkcs1_2048_sig_gen.json", RSA),
    ("wycheproof-rsa-verify-2048", "wycheproof-rsa_signature_2048_sha256.json", RSA),
    ("wycheproof-ecdsa-p256", "wycheproof-ecdsa_secp256r1_sha256_p1363.json", ECDSA),
)


def main(folder: Path) -> None:
    """Write all sets."""
    for name, file, read in SETS:
        records = list(read((folder / file).read_text(encoding="utf-8")))
        above = {"Verdict": "valid"}
        blocks = []
        for record in records:
            said = {k: v for k, v in record.items() if k not in INHERITED or above.get(k) != v}
            above |= {key: record[key] for key in INHERITED if key in record}
            blocks.append("".join(f"{key} = {value}\n" for key, value in said.items()))
        header = "# SPDX-License-Identifier: Apache-2.0\n# Source: README.md\n\n"
        (VECTORS_DIR / f"{name}.txt").write_text(header + "\n".join(blocks), encoding="utf-8")
        print(f"{name}: {len(records)} records")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} FOLDER")
    main(Path(sys.argv[1]))
