# SPDX-License-Identifier: Apache-2.0
#
# A machine with everything that `make run` and `make test` need:
#
#   docker build -t montcore .
#   docker run --rm -it montcore make test
#
# docs: the site has more (`make site`). The first stage alone serves as development container.
FROM debian:12.11-slim@sha256:b1a741487078b369e78119849663d7f1a5341ef2768798f7b7406c4240f86aef AS tools
# Versions of Debian's packages follow the release; requirements.txt pins everything else.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git make python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /srv/montcore
# What setup needs and nothing else, so that a change of the sources does not install anew.
COPY Makefile requirements.txt pyproject.toml setup.py README.md LICENSE ./
COPY tools/setup.sh tools/setup.sh
COPY src/montcore/__init__.py src/montcore/__init__.py
RUN make setup \
 && rm -rf /var/lib/apt/lists/* /root/.cache \
 && useradd --create-home --uid 1000 montcore \
 && chown -R montcore:montcore /srv/montcore

FROM tools
COPY --chown=montcore:montcore . .
USER 1000
CMD ["make", "run"]
