# SPDX-License-Identifier: Apache-2.0
"""The pages docs/tls.md and "Use your key": the commands run exactly as printed."""

import os
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from needs import needs
from page_commands import code_blocks, run_in_checkout

from montcore.support.paths import REPO_ROOT
from montcore.support.processes import running
from montcore_lab.clients import Word, build_provider, make_identity, run, served

PAGE = REPO_ROOT / "docs" / "tls.md"
KEYS_PAGE = REPO_ROOT / "docs" / "site" / "keys.md"
NEEDED = ("openssl", "curl", "OpenSSL headers", "PKCS #11 header", "opensc-tool", "ssh", "gcc")
PORT = 44331
#: Web servers, each with a configuration around the line of the page, for workers of a user.
SERVERS = {
    "nginx -c": """user www-data; daemon off; pid FOLDER/pid; error_log FOLDER/log; events {}
http { access_log off; client_body_temp_path FOLDER/t1; proxy_temp_path FOLDER/t2;
  fastcgi_temp_path FOLDER/t3; uwsgi_temp_path FOLDER/t4; scgi_temp_path FOLDER/t5;
  server { listen 127.0.0.1:PORT ssl; ssl_certificate FOLDER/cert.pem;
    ssl_certificate_key /path/to/key.pem; location / { return 200 hello; } } }
""",
    "apache2 -DFOREGROUND -f": """ServerRoot FOLDER
ServerName localhost
Listen 127.0.0.1:PORT
PidFile FOLDER/pid
ErrorLog FOLDER/log
DefaultRuntimeDir FOLDER
LoadModule mpm_event_module MODULES/mod_mpm_event.so
LoadModule authz_core_module MODULES/mod_authz_core.so
LoadModule ssl_module MODULES/mod_ssl.so
User www-data
Group www-data
DocumentRoot FOLDER
SSLEngine on
SSLCertificateFile FOLDER/cert.pem
SSLCertificateKeyFile /path/to/key.pem
""",
    "haproxy -db -f": """global
  user www-data
  group www-data
defaults
  mode http
  timeout client 60s
frontend tls
  bind 127.0.0.1:PORT ssl crt /path/to/both.pem
  http-request return status 200 content-type text/plain string hello
""",
}


def run_page(page: Path, tmp_path: Path) -> str:
    """Run the commands of a page and return what they print."""
    blocks = code_blocks(page.read_text())
    assert len(blocks) >= 3
    return run_in_checkout(blocks, tmp_path)


@pytest.mark.nightly
@needs(*NEEDED)
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    said = run_page(PAGE, tmp_path)
    assert said.count("Verified OK") == 5, said
    assert "Dear reader" in said
    assert said.count("Verification: OK") == 2, said
    # The accelerator signs a few times, OpenSSL alone would sign some ten thousand times.
    made = r": (\d+) (?:2048 bits private RSA's|256 bits ECDSA signs) in"
    counts = re.findall(made, said)
    assert len(counts) == 2 and all(0 < int(count) < 1000 for count in counts), said
    assert "HTML" in (tmp_path / "out" / "page").read_text()


@pytest.mark.nightly
@needs(*NEEDED)
def test_the_commands_of_the_page_on_keys_run(tmp_path: Path) -> None:
    said = run_page(KEYS_PAGE, tmp_path)
    assert said.count("Verified OK") == 2, said
    assert said.count("CMS Verification successful") == 1, said
    assert said.count("Key Object") >= 4, said
    assert said.count('Good "file" signature for me') == 2, said
    assert said.count("Dear reader\n") >= 3, said


@pytest.mark.nightly
@needs(*NEEDED)
@pytest.mark.parametrize("kind", ["rsa", "ec"])
def test_web_servers_and_curl_use_the_accelerator_for_keys_in_files(kind: str) -> None:
    """Those that are installed; where this user is root, with workers of another user."""
    root = os.geteuid() == 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        made = make_identity(folder, kind)
        shutil.copy(made.key, folder / "key.pem")
        shutil.copy(made.certificate, folder / "cert.pem")
        (folder / "both.pem").write_text(made.certificate.read_text() + made.key.read_text())
        (text,) = code_blocks(KEYS_PAGE.read_text(), "ini")
        build_provider(folder / "provider")
        (folder / "openssl.cnf").write_text(text.replace("/path/to", name))
        env = {**os.environ, "OPENSSL_CONF": f"{name}/openssl.cnf"}
        curl: list[Word] = ["curl", "--silent", "--show-error", "--cacert", made.authority]
        curl += ["--retry", "40", "--retry-delay", "1", "--retry-connrefused"]
        curl += [f"https://localhost:{PORT}/", "--tls-max"]
        options = ("--group", "www-data") if root else ()
        with served(folder / "accelerator", *options) as accelerator:
            for command, configuration in SERVERS.items():
                program = shutil.which(command.split()[0])
                if program is None:
                    continue
                modules = Path(program).parents[1] / "lib" / "apache2" / "modules"
                file = folder / "server.conf"
                lines = configuration.replace("/path/to", name).replace("FOLDER", name)
                lines = lines.replace("PORT", str(PORT)).replace("MODULES", str(modules))
                file.write_text(lines if root else re.sub(r"(?im)^ *(user|group) \S+", "", lines))
                with running([*command.split(), str(file)], env=env):
                    for version in ("1.2", "1.3"):
                        assert run([*curl, version])
            words = ["openssl", "s_server", "-key", str(made.key), "-cert", str(made.certificate)]
            words += ["-CAfile", str(made.authority), "-Verify", "1", "-www"]
            with running([*words, "-accept", f"127.0.0.1:{PORT}"]):
                client = [*curl, "1.3", "--cert", made.certificate, "--key", made.key]
                assert b"Verify return code: 0" in run(client, env)
    assert accelerator.sessions >= 1
