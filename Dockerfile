# The service and its workers, over a Neo4j that runs elsewhere: docker-compose.yml starts both.
# The default embedding model runs on onnxruntime, so there is no torch in it.
FROM python:3.11-slim-bookworm AS build
WORKDIR /build
COPY requirements/run.txt requirements/run.txt
RUN python -m venv /opt/hippograph \
 && /opt/hippograph/bin/pip install --no-cache-dir --no-deps --require-hashes -r requirements/run.txt
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY hippograph/__init__.py hippograph/__init__.py
COPY api api
COPY cypher cypher
COPY graph graph
COPY nlp nlp
COPY examples examples
RUN /opt/hippograph/bin/pip install --no-cache-dir --no-deps --no-build-isolation .
# The embedding model is in the image: a container needs no network but for its Neo4j.
RUN /opt/hippograph/bin/python -c "from pathlib import Path; from hippograph.graph.artifacts.embedding_models import fetch_embedder; \
fetch_embedder('bge-small-en-v1.5', Path('/opt/cache'))" && rm -rf /opt/cache/jars

FROM python:3.11-slim-bookworm
RUN useradd --create-home --uid 10001 hippograph
COPY --from=build /opt/hippograph /opt/hippograph
COPY --from=build --chown=hippograph /opt/cache /home/hippograph/.cache/hippograph
USER hippograph
WORKDIR /home/hippograph
ENV PATH=/opt/hippograph/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    HIPPOGRAPH_HOST=0.0.0.0 \
    HIPPOGRAPH_AUTH=credentials
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
CMD ["hippograph", "serve"]
