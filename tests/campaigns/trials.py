"""Run tests against changed modules, in processes forked from one that has imported and collected them all.

The body of a function is changed in place, in a process forked after collection. Any other change needs the module and
all that depend on it imported again, in a process forked before. Nothing in the tree is touched.
"""

from __future__ import annotations

import functools
import gc
import importlib
import importlib.machinery
import importlib.util
import json
import os
import resource
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import pytest

__all__ = ["OPTIONS", "Changed", "Examiner", "Processes", "functions_of", "run_again"]

MAX_CPU_S = 60
"""Processor time for one mutant, and four times as much by the clock: one that never ends is caught, too."""
BROKEN = 99
"""Exit code of a process in which the campaign itself failed, not a test."""
OPTIONS = ["-x", "-q", "-m", "not slow", "--assert=plain", "-p", "_hypothesis_pytestplugin"]
OPTIONS += [part for plugin in ("cacheprovider", "unraisableexception") for part in ("-p", f"no:{plugin}")]


class Processes:
    """Forks processes and reads the single text that each of them writes.

    Args:
        folder: For the texts.
        at_once: How many run beside each other.
    """

    def __init__(self, folder: Path, at_once: int) -> None:
        self._folder, self._at_once, self._count = folder, at_once, 0
        self._running: dict[int, tuple[Path, Callable[[str], None]]] = {}

    def start(self, run: Callable[[], str], done: Callable[[str], None]) -> None:
        """Run a function in a process of its own, and hand its result to another one here."""
        while len(self._running) >= self._at_once:
            self._wait()
        self._count += 1
        path = self._folder / str(self._count)
        pid = os.fork()
        if not pid:
            _answer(run, path)
        self._running[pid] = path, done

    def finish(self) -> None:
        """Wait for all of them."""
        while self._running:
            self._wait()

    def result(self, run: Callable[[], str]) -> str:
        """Run a function in a process of its own and return its result."""
        results: list[str] = []
        self.start(run, results.append)
        self.finish()
        return results[0]

    def _wait(self) -> None:
        pid, status = os.wait()
        path, done = self._running.pop(pid)
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN:
            raise RuntimeError(path.read_text())
        done(path.read_text() if path.exists() else f"no test: the process ended with {status}")


def _answer(run: Callable[[], str], path: Path) -> None:
    code = BROKEN
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (MAX_CPU_S, MAX_CPU_S))
        signal.alarm(4 * MAX_CPU_S)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        path.write_text(run())
        code = 0
    except BaseException:  # noqa: BLE001 - the parent reads it
        path.write_text(traceback.format_exc())
    finally:
        os._exit(code)


# ── A module that is imported again ──────────────────────────────────────────────────────────────────────────────


class Changed(importlib.machinery.SourceFileLoader):
    """Finds and loads one module from a changed source."""

    def __init__(self, name: str, path: Path, source: str) -> None:
        super().__init__(name, str(path))
        self._name, self._source = name, source

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        del path, target
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self._name else None

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        return compile(self._source, self.path, "exec", dont_inherit=True)


def run_again(changed: Changed, stale: set[str], files: Sequence[str]) -> str:
    """Import a changed module and its dependents, run tests, and return the first that fails, or an empty text."""
    for module in stale:
        sys.modules.pop(module, None)
    sys.meta_path.insert(0, changed)
    witness = _Witness()
    for file in files:
        if pytest.main([*OPTIONS, file], [witness]):
            return witness.failed or "no test: it could not be imported"
    return ""


class _Witness:
    """A plugin of pytest that keeps the first test that failed."""

    failed = ""

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


# ── A function that is changed in place ──────────────────────────────────────────────────────────────────────────


class _Trace(NamedTuple):
    """Of each test its seconds, and the functions of the module that it calls."""

    seconds: dict[str, float]
    calls: dict[str, list[str]]


class Examiner:
    """A plugin of pytest that runs the collected tests against one changed function after another.

    Args:
        path: The module's file.
        mutants: Function and source of each.
        processes: To run them in.
        report: Told the number of a mutant and the test that caught it, or an empty text.
    """

    def __init__(
        self,
        path: Path,
        mutants: Sequence[tuple[int, str, str]],
        processes: Processes,
        report: Callable[[int, str], None],
    ) -> None:
        self._path, self._mutants, self._processes, self._report = path, mutants, processes, report
        self._caught: Counter[tuple[str, str]] = Counter()
        self._witness = _Witness()
        self.ran = False

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep the first test that failed."""
        self._witness.pytest_runtest_logreport(report)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Take the place of pytest's own loop."""
        if session.testsfailed:
            raise RuntimeError("tests could not be collected")
        gc.unfreeze()  # what is frozen is not listed
        live = _live_functions(self._path)
        gc.collect()
        gc.freeze()  # else each process would go through all of that again
        trace = self._unchanged(session.items, live)
        for number, function, source in self._mutants:
            items = self._chosen(session.items, trace, function)
            code = functions_of(compile(source, str(self._path), "exec", dont_inherit=True))[function]
            self._processes.start(
                functools.partial(self._changed, live[function], code, items),
                functools.partial(self._note, number, function),
            )
        self._processes.finish()
        self.ran = True
        return True

    def _unchanged(self, items: list[pytest.Item], live: dict[str, list[FunctionType]]) -> _Trace:
        """Run all tests without a change, as collected and then the quickest first."""
        trace = _Trace(*json.loads(self._processes.result(lambda: json.dumps(self._traced(items, live)))))
        again = sorted(items, key=lambda item: trace.seconds[item.nodeid])
        failed = self._processes.result(lambda: self._first_failure(again))
        if failed:
            raise RuntimeError(f"{failed}: fails without any change")
        return trace

    def _traced(self, items: list[pytest.Item], live: dict[str, list[FunctionType]]) -> _Trace:
        names = {code: name for name, found in live.items() for code in _with_inner(found[0].__code__)}
        seen: set[str] = set()
        trace = _Trace({}, {})

        def note(frame: FrameType, event: str, argument: object) -> None:
            del event, argument
            if frame.f_code in names:
                seen.add(names[frame.f_code])

        threading.settrace(note)
        for item, following in zip_longest(items, items[1:]):
            seen.clear()
            start = time.process_time()
            sys.settrace(note)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            sys.settrace(None)
            trace.seconds[item.nodeid] = time.process_time() - start
            trace.calls[item.nodeid] = sorted(seen)
            if self._witness.failed:
                raise RuntimeError(f"{self._witness.failed}: fails without any change")
        return trace

    def _chosen(self, items: list[pytest.Item], trace: _Trace, function: str) -> list[pytest.Item]:
        """Choose the tests that call a function: those first that caught a change of it, then the quickest."""
        touching = [item for item in items if function in trace.calls[item.nodeid]]
        return sorted(touching, key=lambda i: (-self._caught[function, i.nodeid], trace.seconds[i.nodeid]))

    def _changed(self, functions: list[FunctionType], code: CodeType, items: list[pytest.Item]) -> str:
        for function in functions:
            function.__code__ = code
        return self._first_failure(items)

    def _first_failure(self, items: list[pytest.Item]) -> str:
        for item, following in zip_longest(items, items[1:]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._witness.failed:
                return self._witness.failed
        return ""

    def _note(self, number: int, function: str, by: str) -> None:
        if by:
            self._caught[function, by] += 1
        self._report(number, by)


def functions_of(module: CodeType) -> dict[str, CodeType]:
    """Return the outermost functions of a module, and of its classes, by their qualified names."""
    found: dict[str, CodeType] = {}
    for code in _inner(module):
        if code.co_flags & 0x3 == 0x3:  # optimised and with locals of its own: a function, not a class
            found.setdefault(code.co_qualname, code)
        else:
            found |= functions_of(code)
    return found


def _inner(code: CodeType) -> Iterator[CodeType]:
    return (constant for constant in code.co_consts if isinstance(constant, CodeType))


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for inner in _inner(code):
        yield from _with_inner(inner)


def _live_functions(path: Path) -> dict[str, list[FunctionType]]:
    found: dict[str, list[FunctionType]] = {}
    for thing in gc.get_objects():
        if isinstance(thing, FunctionType) and thing.__code__.co_filename == str(path):
            found.setdefault(thing.__qualname__, []).append(thing)
    return found
