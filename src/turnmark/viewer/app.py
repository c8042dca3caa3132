"""The web application: lists, one dialogue with its evidence, comparisons, labels. Rendered on the server.

It reads run folders and writes to its folder of labels only, and overrides into the run that they are of. Requests must
name this host (`turnmark.viewer.guard`), and those that write must come from a page of this origin and bring back what
it holds; with a token every request must carry it (cookie, or ``?token=`` once).
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from turnmark.errors import DataError, TurnmarkError, UsageError
from turnmark.locale.texts import ENGLISH, Texts, named, texts_of
from turnmark.metrics.definition import Metric
from turnmark.pipeline.comparing.compare import compare
from turnmark.pipeline.comparing.request import CompareRequest
from turnmark.pipeline.publishing.overrides import read_overrides
from turnmark.pipeline.publishing.rule_sources import RuleSources
from turnmark.pipeline.publishing.run_turns import run_faults
from turnmark.report.pages.comparison import render_comparison_html
from turnmark.report.view.counted import kinds_of
from turnmark.report.view.data import TurnView
from turnmark.report.view.findings import kind_counted, ranked
from turnmark.report.view.tables import Figure, known_metric, main_measures
from turnmark.report.view.turn import turn_page
from turnmark.runs import clock
from turnmark.runs.folder import SUMMARY, read_summary
from turnmark.runs.index import IndexedRun, RunIndex
from turnmark.schemas.labels.fingerprint import fingerprint
from turnmark.schemas.labels.turn import TurnLabel
from turnmark.suites.registry import suite_definition, suite_definitions, suite_names
from turnmark.viewer.guard import Guard
from turnmark.viewer.labels import ANNOTATOR, LabelStore
from turnmark.viewer.marks import marks_of, parted, said
from turnmark.viewer.notes import LONGEST_COMMENT, NoteStore, TurnNote
from turnmark.viewer.overriding import choices_of, write_override
from turnmark.viewer.posted import LabelRequest, NoteRequest, OverrideRequest, body_of, decoded, too_long
from turnmark.viewer.rendering import asked_texts, environment, html, json_response, own_file
from turnmark.viewer.run_page import Listed, page_of
from turnmark.viewer.turns import PAGE, TurnLists

DRAWS = 2000
MOST_MEASURES = 6


class ViewerSettings(NamedTuple):
    """What the viewer shows and where it writes.

    ``hosts`` are the names it answers to beside addresses; ``token`` None: none is needed.
    """

    runs: Path
    labels: Path
    hosts: tuple[str, ...] = ("localhost",)
    token: str | None = None


def make_app(settings: ViewerSettings) -> Starlette:
    """The application; ``state.problems`` says what could not be used. Raises: OSError when no labels can be kept."""
    suite_definitions()  # from here on pages know the metrics and words of every suite
    viewer = _Viewer(settings)
    environment()
    csrf = secrets.token_urlsafe(24)
    app = Starlette(
        routes=[
            Route("/", viewer.runs),
            Route("/run", viewer.run),
            Route("/dialog", viewer.dialog),
            Route("/compare", viewer.compare),
            Route("/labels", viewer.labels),
            Route("/note", viewer.note, methods=["POST"]),
            Route("/override", viewer.override, methods=["POST"]),
            Route("/label", viewer.label, methods=["GET", "POST"]),
        ],
        middleware=[Middleware(Guard, token=settings.token, hosts=settings.hosts, csrf=csrf)],
        exception_handlers={UsageError: _refused, TurnmarkError: _refused, OSError: _unreadable, 404: _nothing},
    )
    app.state.runs = settings.runs
    app.state.csrf = csrf
    app.state.problems = viewer.problems
    return app


async def _refused(_request: Request, error: Exception) -> Response:
    return PlainTextResponse(str(error), 400)


async def _unreadable(request: Request, error: Exception) -> Response:
    """A full disk, a folder that went away: nothing was kept of a label, and the page says so."""
    why = error.strerror if isinstance(error, OSError) else None
    what = "the label could not be kept" if request.method == "POST" else "this could not be read"
    return PlainTextResponse(f"{what}: {why or error}", 507 if request.method == "POST" else 500)


async def _nothing(_request: Request, _error: Exception) -> Response:
    return PlainTextResponse(ENGLISH["viewer_nothing"], 404)


class _Viewer:
    def __init__(self, settings: ViewerSettings) -> None:
        self._root = settings.runs.resolve()
        self._labels = LabelStore(settings.labels)
        self._notes = NoteStore(self._labels)
        self.problems: list[str] = []
        try:
            self._index = RunIndex(self._root, settings.labels / "index.sqlite", run_faults)
        except DataError as error:
            self._index = self._index_in_memory(error)
        self._lock = threading.Lock()  # pages are made in several threads
        self._turns = TurnLists()

    def _index_in_memory(self, error: DataError) -> RunIndex:
        """An index that is made anew at every start, where the one on disk cannot be used."""
        self.problems.append(str(error))
        return RunIndex(self._root, ":memory:", run_faults)

    def _refresh(self) -> None:
        """Take in what changed; an index that has become none is made anew in memory."""
        try:
            self._index.refresh()
        except DataError as error:
            self._index.close()
            self._index = self._index_in_memory(error)
            self._index.refresh()

    def runs(self, request: Request) -> Response:
        """The list of runs, filtered and sorted."""
        texts, query = asked_texts(request, request.query_params.get("suite")), request.query_params
        text, suite, sort = query.get("text", ""), query.get("suite", ""), query.get("sort", "")
        with self._lock:
            self._refresh()
            runs = self._index.runs(text, suite, sort)
            suites = self._index.suites()
            measures = self._index.measures(suite)
        # Measures of one suite say nothing of runs of another.
        one_suite = suite or (suites[0] if len(suites) == 1 else "")
        wanted = [name for name in query.getlist("col") if name in measures]
        shown = wanted or ([sort] if sort in measures else _first_measures(one_suite, measures))
        page, last = page_of(query.get("page", "1"), len(runs))
        return html(
            request,
            "runs.html.j2",
            texts,
            own_file("list.js"),
            runs=[_listed(one, texts) for one in runs[(page - 1) * PAGE : page * PAGE]],
            total=len(runs),
            text=text,
            suite=suite,
            sort=sort,
            suites=suites,
            measures=[_measure(item) for item in measures],
            wanted=wanted,
            shown=[_measure(item) for item in shown],
            page=page,
            last=last,
            href="/?"
            + urlencode({"text": text, "suite": suite, "sort": sort, "lang": texts.language, "col": wanted}, True),
        )

    def run(self, request: Request) -> Response:
        """The turns of a run, filtered and sorted."""
        run, folder = self._folder(request)
        summary = read_summary(folder)
        texts = asked_texts(request, summary.suite_name)
        against = request.query_params.get("against", "")
        with self._lock:
            self._refresh()
            others = [one.folder for one in self._index.runs("", summary.suite_name) if one.folder != run]
        other = self._turns.of(self._checked(against)) if against else None
        listed = Listed(self._turns.of(folder), other, self._notes.of(run), summary, texts)
        values = listed.page(request.query_params)
        return html(request, "run.html.j2", texts, own_file("list.js"), run=run, others=others, **values)

    def dialog(self, request: Request) -> Response:
        """One dialogue with its evidence highlighted, and what can be labelled in it."""
        run, folder = self._folder(request)
        dialog_id = request.query_params.get("dialog", "")
        turns = self._turns.of(folder)
        views, told = turns.told(dialog_id)
        if not views:
            message = f"dialog: expected a dialogue of {run}, found {dialog_id!r}"
            raise UsageError(message)
        views = read_overrides(folder).beside(views)
        summary = read_summary(folder)
        suite = summary.suite_name
        texts = asked_texts(request, suite)
        rules = RuleSources(summary).of_views(views)
        marks = [parted(marks_of(suite, view, texts)) for view in views]
        against = request.query_params.get("against", "")
        theirs = {view.turn_pair_id: turn_page(view, texts, {})
                  for view in (self._turns.of(self._checked(against)).views(dialog_id) if against else ())}  # fmt: skip
        notes = self._notes.of(run)
        prints = [(fingerprint(told, view.turn_pair_id) if told else None) or "" for view in views]
        order = turns.dialogs
        position = order.index(dialog_id)

        def href(at: int) -> str:
            query = {
                "run": run,
                "dialog": order[at],
                "lang": texts.language,
                **({"against": against} if against else {}),
            }
            return "/dialog?" + urlencode(query) if 0 <= at < len(order) else ""

        return html(
            request,
            "dialog.view.html.j2",
            texts,
            own_file("label.js"),
            "connect-src 'self'; form-action 'self'",
            suite=suite,
            run=run,
            dialog_id=dialog_id,
            here=href(position),
            before=href(position - 1) if position else "",
            after=href(position + 1) if position + 1 < len(order) else "",
            pattern=ANNOTATOR.pattern,
            turns=list(zip([turn_page(view, texts, rules) for view in views], marks, prints, strict=True)),
            notes={turn: own for (named, turn), own in notes.items() if named == dialog_id},
            against=against,
            theirs=theirs,
            choices={view.turn_pair_id: choices_of(view, texts) for view in views},
        )

    def compare(self, request: Request) -> Response:
        """The comparison of the chosen runs."""
        texts = asked_texts(request)
        names = request.query_params.getlist("run")
        if len(names) < 2:
            return PlainTextResponse(texts["viewer_choose_two"], 400)
        comparison = compare(
            CompareRequest(tuple(self._checked(name) for name in names), draws=DRAWS, language=texts.language)
        )
        page = HTMLResponse(
            render_comparison_html(comparison, texts.language, (f"/?lang={texts.language}", texts["viewer_runs"]))
        )
        page.headers["Content-Security-Policy"] = "frame-ancestors 'none'"
        return page

    def labels(self, request: Request) -> Response:
        """All labels of a run as a file for ``turnmark correct``."""
        run, _ = self._folder(request)
        return Response(
            self._labels.everybody(run), media_type="application/x-ndjson",
            headers={"Content-Disposition": 'attachment; filename="labels.jsonl"'},
        )  # fmt: skip

    async def label(self, request: Request) -> Response:
        """An annotator's labels of a run; or one more of them."""
        if request.method == "GET":
            run, _ = self._folder(request)
            given = self._labels.read(run, request.query_params.get("annotator", ""))
            problems = [f"{Path(problem.file).name}:{problem.line}" for problem in given.problems]
            return json_response(
                {"total": len(given.labels), "labels": list(given.labels.values()), "problems": problems}
            )
        body = await body_of(request)
        if body is None:
            return too_long()
        label = decoded(body, LabelRequest, "a label")
        return json_response({"total": await run_in_threadpool(self._keep, label)})

    async def note(self, request: Request) -> Response:
        """Keep a star or a comment on a turn."""
        body = await body_of(request)
        if body is None:
            return too_long()
        note = decoded(body, NoteRequest, "a note")
        await run_in_threadpool(self._keep_note, note)
        return json_response({"kept": True})

    async def override(self, request: Request) -> Response:
        """Keep what a reviewer says against or for a mark, in the file of the run that ``turnmark report`` reads."""
        body = await body_of(request)
        if body is None:
            return too_long()
        said_of = decoded(body, OverrideRequest, "an override")
        await run_in_threadpool(self._keep_override, said_of)
        return json_response({"kept": True})

    def _keep_override(self, body: OverrideRequest) -> None:
        """Save an override. Raises: UsageError when there is no such turn or mark, or no reviewer's name."""
        if not ANNOTATOR.fullmatch(body.reviewer):
            message = f"reviewer: expected a name of letters and digits, found {body.reviewer!r}"
            raise UsageError(message)
        folder = self._checked(body.run)
        view, now = self._looked_at(folder, body)
        with self._lock:
            write_override(folder, body, view, now, texts_of("en", read_summary(folder).suite_name))

    def _looked_at(self, folder: Path, body: LabelRequest | OverrideRequest) -> tuple[TurnView, str]:
        """The turn that somebody looked at, and its fingerprint. Raises: UsageError when it is none, or another one."""
        views, dialog = self._turns.of(folder).told(body.dialog_id)
        own = next((view for view in views if view.turn_pair_id == body.turn_pair_id), None)
        if own is None:
            message = f"expected a turn of {body.run}, found turn {body.turn_pair_id} of {body.dialog_id!r}"
            raise UsageError(message)
        now = (fingerprint(dialog, body.turn_pair_id) if dialog else None) or ""
        if body.fingerprint and body.fingerprint != now:
            message = "the turn has become another one since this page was made; load the page again and look at it"
            raise UsageError(message)
        return own, now

    def _keep_note(self, body: NoteRequest) -> None:
        """Save a note. Raises: UsageError when there is no such turn, or the comment is too long."""
        folder = self._checked(body.run)
        if len(body.comment) > LONGEST_COMMENT:
            message = f"comment: expected at most {LONGEST_COMMENT} characters, found {len(body.comment)}"
            raise UsageError(message)
        if (body.dialog_id, body.turn_pair_id) not in {entry[:2] for entry in self._turns.of(folder).entries}:
            message = f"expected a turn of {body.run}, found turn {body.turn_pair_id} of {body.dialog_id!r}"
            raise UsageError(message)
        note = TurnNote(
            dialog_id=body.dialog_id, turn_pair_id=body.turn_pair_id, annotator=body.annotator, star=body.star,
            comment=body.comment.strip(), at=clock.now(),
        )  # fmt: skip
        self._notes.put(body.run, note)

    def _keep(self, body: LabelRequest) -> int:
        """Save a label; returns how many the annotator has given. Raises: UsageError when it fits no mark."""
        folder = self._checked(body.run)
        own, now = self._looked_at(folder, body)
        marks = {mark.measure: mark for mark in marks_of(read_summary(folder).suite_name, own)}
        if body.measure not in marks:
            message = f"measure: expected one of {', '.join(marks)}, found {body.measure!r}"
            raise UsageError(message)
        label = TurnLabel(
            dialog_id=body.dialog_id, turn_pair_id=body.turn_pair_id, measure=body.measure,
            value=said(marks[body.measure], body.value), annotator=body.annotator, note=body.note.strip(),
            at=clock.now(), fingerprint=now,
        )  # fmt: skip
        return self._labels.put(body.run, label)

    def _folder(self, request: Request) -> tuple[str, Path]:
        run = request.query_params.get("run", "")
        return run, self._checked(run)

    def _checked(self, run: str) -> Path:
        """The folder of a run below the root. Raises: UsageError when it lies elsewhere or is no run."""
        try:
            folder = (self._root / run).resolve()
            there = folder.is_relative_to(self._root) and (folder / SUMMARY).is_file()
        except (OSError, ValueError, RuntimeError):  # a name that no file can have
            there = False
        if not there:
            message = f"run: expected the folder of a scored run below {self._root.name}, found {run!r}"
            raise UsageError(message)
        return folder


def _metrics(suite: str) -> Sequence[Metric]:
    """The metrics of a suite; none of one that is not installed here."""
    return suite_definition(suite).metrics if suite in suite_names() else ()


class _ListedRun(NamedTuple):
    """A run of the list: what was found in it (kind, its name, dialogues), its main figure, and every figure."""

    run: IndexedRun
    found: list[tuple[str, str, int]]
    main: tuple[str, str, Figure] | None
    figures: Mapping[str, Figure]


def _listed(run: IndexedRun, texts: Texts) -> _ListedRun:
    """A run with what was found in it and its main figure (code, name, value), in the words of its suite.

    The main figure counts the gravest of what was found; without such, it is the first of the suite.
    """
    own = texts_of(texts.language, run.suite) if run.suite in suite_names() else texts
    faults = ranked(run.found)
    found = [(str(kind), kind_counted(kind, own), count) for kind, count in faults]
    if still := run.found.get("undecided"):
        found.append(("undecided", own["kind_undecided"], still))
    figures = {name: _figure(value, run.undecided.get(name)) for name, value in run.figures.items()}
    counting = (name for kind, _ in faults for name in run.figures if kind in kinds_of(*name.split(".", 1)))
    first = next(chain(counting, _first_measures(run.suite, list(run.figures))), None)
    if first is None:
        return _ListedRun(run, found, None, figures)
    _, code, name = _measure(first)
    return _ListedRun(run, found, (code, named(own, "measure", name), figures[first]), figures)


def _figure(value: float, undecided: tuple[float, float, float, float] | None) -> Figure:
    """A figure of the index with what was not decided of it."""
    if undecided is None:
        return Figure(value)
    decided, rest, low, high = undecided
    return Figure(value, None, decided, decided / (decided + rest), (low, high), rest)


def _first_measures(suite: str, measures: Sequence[str]) -> list[str]:
    """The first main measure of each metric of a suite, as far as runs have it."""
    firsts = [f"{metric.name}.{(*main_measures(metric), metric.measures[0].name)[0]}"
              for metric in _metrics(suite)]  # fmt: skip
    return [name for name in firsts if name in measures][:MOST_MEASURES]


def _measure(name: str) -> tuple[str, str, str]:
    """A measure of the index (``m3_risk_coverage.risk_coverage``): itself, the code of its metric, its own name."""
    metric, _, own = name.partition(".")
    known = known_metric(metric)
    return name, known.code if known else metric, own
