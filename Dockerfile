# turnmark in a container: make image, then
#   docker run --rm --network none -v "$PWD:/data" turnmark score answers.csv --out runs/answers
# Offline by default: nothing is fetched when it runs, and no key is in it. Files are those of the caller with --user.
FROM python:3.13-slim AS build
COPY dist/*.whl /wheels/
# The wheel and what it needs, with the extras that read and show files; judges over HTTP are asked for by EXTRAS.
ARG EXTRAS=excel,parquet,documents,view,plots
RUN python -m venv /opt/turnmark \
    && wheel="$(ls /wheels/turnmark-*.whl)" \
    && /opt/turnmark/bin/pip install --no-cache-dir --disable-pip-version-check "${wheel}[${EXTRAS}]"

FROM python:3.13-slim
ENV PATH=/opt/turnmark/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOME=/tmp
COPY --from=build /opt/turnmark /opt/turnmark
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin turnmark
USER 10001
WORKDIR /data
ENTRYPOINT ["turnmark"]
CMD ["--help"]
