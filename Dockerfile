# An image of the bot without the sandbox. compose.yaml says how to run it, and with which permissions.

FROM python:3.13-slim AS packages
WORKDIR /srv/bigger
COPY pyproject.toml constraints.txt ./
RUN python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], sep="\n")' \
        > wanted.txt \
    && python -m venv .venv \
    && .venv/bin/pip install --no-cache-dir --disable-pip-version-check -c constraints.txt -r wanted.txt

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /srv/bigger --shell /usr/sbin/nologin bigger
WORKDIR /srv/bigger
COPY --from=packages /srv/bigger/.venv .venv
COPY pyproject.toml constraints.txt LICENSE PRIVACY.md TERMS.md ./
COPY data data
COPY bot bot
COPY cogs cogs
# The bot writes only to data/games, so everything else can be read-only.
RUN .venv/bin/python -m compileall -q bot cogs && install -d -o bigger -g bigger -m 700 data/games
VOLUME /srv/bigger/data/games
USER 10001
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 BIGGER_LOG_FORMAT=json BIGGER_METRICS_PORT=9464
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD [".venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9464/healthz')"]
CMD [".venv/bin/python", "-m", "bot"]
