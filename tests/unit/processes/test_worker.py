"""The worker runs functions in another process, one at a time."""

import math
import operator
import os
import signal
import time

import pytest
from servers import wait_until_ended

from farhand.processes.worker import Worker, WorkerError
from farhand.server.lifecycle.parent_watch import end_with_parent


def test_functions_run_in_another_process_in_order_and_raise_here() -> None:
    worker = Worker(end_with_parent)
    try:
        other = worker.submit(os.getpid)
        results = [worker.submit(math.sqrt, number) for number in (4.0, 9.0)]
        assert other.result() == worker.pid != os.getpid()
        assert [result.result() for result in results] == [2.0, 3.0]
        with pytest.raises(ValueError, match="math domain error"):
            worker.submit(math.sqrt, -1.0).result()
        worker.submit(print, "words that are no answer").result()
        assert worker.submit(operator.add, 1, 2).result() == 3
    finally:
        worker.close()


def test_a_worker_that_was_killed_is_started_again() -> None:
    worker = Worker()
    try:
        before = worker.submit(os.getpid).result()
        os.kill(before, signal.SIGKILL)
        assert worker.submit(os.getpid).result() != before
        # A function that ends its process takes the next one down as well, and is given up.
        with pytest.raises(WorkerError):
            worker.submit(os._exit, 1).result()
        assert worker.submit(operator.add, 1, 2).result() == 3
    finally:
        worker.close()


def test_closing_ends_the_process_in_the_middle_of_its_work() -> None:
    worker = Worker(end_with_parent)
    pid = worker.submit(os.getpid).result()
    working = worker.submit(time.sleep, 600.0)
    worker.close()
    wait_until_ended(pid)
    assert working.cancelled() or isinstance(working.exception(), WorkerError)
