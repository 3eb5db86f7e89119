"""Notes that repeat every tick become a log of those that began and a list of those that hold now."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from worded import near, plain

from farhand.filters.scale import GENTLY
from farhand.server.cell_process.note_log import MAX_ENTRIES, MAX_SUBJECTS, QUIET_S, REFRESH_S, NoteLog
from farhand.types import Demand, LaneReport, Note, Quantity, State, Subject, Tick

DT = 0.002
LAG = Note("guard.lag", "slow", (Subject("joint", "Wrist"),))
STOPPED = Note("mode.stopped", "stop", cause=Note("stop.pressed", about=(Subject("person", "Ada"),)))
PAUSED = Note("mode.paused", "stop", cause=Note("input.none", quantities=(Quantity("time", 0.1, "s"),)))


def tick(number: int, *notes: Note, robot: str = "arm", cell: tuple[Note, ...] = ()) -> Tick:
    report = LaneReport("idle", Demand("hold"), {}, 1, "joints", None, notes)
    return Tick(number, number * DT, State({}, {}), {robot: report}, cell)


def notes_of(book: NoteLog, since: int = 0) -> list[Note]:
    return [entry.note for entry in book.since(since)]


def unknown(name: str) -> Note:
    about = (Subject("kind", "robot"), Subject("name", name))
    return Note("cell.refused", cause=Note("refused.unknown", about=about))


def test_a_note_that_repeats_is_one_entry_at_the_time_it_began() -> None:
    book = NoteLog()
    for number in range(10, 1000):
        book.take(tick(number, STOPPED))
    (entry,) = book.since(0)
    assert (entry.number, entry.time, entry.robot) == (1, 10 * DT, "arm")
    assert entry.note == STOPPED


def test_a_note_that_comes_back_after_a_while_is_a_new_entry() -> None:
    gap = round(QUIET_S / DT)
    for pause, count in ((gap, 1), (gap + 1, 2)):
        book = NoteLog()
        book.take(tick(1, LAG))
        book.take(tick(1 + pause, LAG))
        assert book.said == count


def test_every_stop_and_every_pause_is_news_however_soon_it_comes() -> None:
    for note in (STOPPED, PAUSED):
        book = NoteLog()
        for number, notes in enumerate([(note,), (note,), (), (note,), (note,)], 1):
            book.take(tick(number, *notes))
        assert [entry.time for entry in book.since(0)] == [1 * DT, 4 * DT]


def test_notes_of_two_robots_and_of_the_cell_are_told_apart() -> None:
    book = NoteLog()
    book.take(tick(1, LAG, robot="left", cell=(unknown("leg"),)))
    book.take(tick(2, LAG, robot="right"))
    assert [(entry.robot, entry.note.code) for entry in book.since(0)] == [
        ("", "cell.refused"),
        ("left", "guard.lag"),
        ("right", "guard.lag"),
    ]


def test_that_a_motion_starts_gently_is_no_news_but_holds_just_now() -> None:
    book = NoteLog()
    book.take(tick(1, GENTLY, Note("lane.press")))
    assert notes_of(book) == [Note("lane.press")]
    assert [note.code for note in book.why(0.0)["arm"]] == ["scale.ramp", "lane.press"]


def test_why_holds_what_any_tick_since_the_last_look_said() -> None:
    book = NoteLog()
    book.take(tick(1, LAG))
    book.take(tick(2))
    assert book.why(2 * DT) == {"arm": (LAG,)}
    assert book.why(3 * DT) == {}


def test_why_is_the_same_value_while_it_reads_the_same() -> None:
    book = NoteLog()
    book.take(tick(1, LAG))
    first = book.why(1 * DT)
    book.take(tick(2, LAG))
    assert book.why(2 * DT) is first


def test_numbers_that_flicker_are_told_slowly_and_other_notes_at_once() -> None:
    book = NoteLog()
    told = []
    for number in range(1, 101):
        book.take(tick(number, near("gripper", "crate", 1e-3 * number)))
        told.append(book.why(number * DT)["arm"][0])
    changes = sum(a != b for a, b in pairwise(told))
    assert 1 <= changes <= 100 * DT / REFRESH_S
    book.take(tick(101, near("gripper", "crate", 0.003), STOPPED))
    assert [note.code for note in book.why(101 * DT)["arm"]] == ["avoid.near", "mode.stopped"]


def follow(side: str, lag: float) -> Note:
    return near(f"front {side} flipper", "post", lag)


def test_notes_of_one_kind_about_several_things_are_all_told_and_all_logged() -> None:
    book, left, right = NoteLog(), follow("left", 3.0), follow("right", 4.0)
    joints = tuple(Note("servo.velocity", "slow", (Subject("joint", f"Joint {i}"),)) for i in (1, 2))
    for number in range(1, 100):
        book.take(tick(number, left, right, *joints))
    assert book.why(0.0) == {"arm": (left, right, *joints)}
    assert notes_of(book) == [left, right, *joints]


def test_numbers_that_change_make_no_new_note() -> None:
    book = NoteLog()
    for number in range(1, 1000):
        book.take(tick(number, follow("left", 0.1 * number), follow("right", -0.1 * number)))
    assert book.why(0.0) == {"arm": (follow("left", 99.9), follow("right", -99.9))}
    assert notes_of(book) == [follow("left", 0.1), follow("right", -0.1)]


def test_what_notes_are_about_may_flicker_without_being_told_anew_each_time() -> None:
    book, told = NoteLog(), list[object]()
    for number in range(1, 501):
        book.take(tick(number, near(f"link {number % 5}", "post", 0.001)))
        told.append(book.why(number * DT))
    assert sum(a is not b for a, b in pairwise(told)) <= 500 * DT / REFRESH_S
    assert book.said == 5


def test_pauses_for_different_reasons_are_different_notes() -> None:
    book, other = NoteLog(), Note("mode.paused", "stop", cause=Note("cell.busy"))
    for number in range(1, 100):
        book.take(tick(number, PAUSED, other))
    assert notes_of(book) == [PAUSED, other]


def test_a_flood_of_different_sentences_of_one_kind_is_bounded() -> None:
    book = NoteLog()
    for number in range(1, 1001):
        book.take(tick(number, LAG, cell=(unknown(str(number)),)))
        if number % 100 == 0:
            assert len(book.why(number * DT).get("", ())) <= MAX_SUBJECTS
    entries = [entry for entry in book.since(0) if entry.note.code == "cell.refused"]
    assert MAX_SUBJECTS <= len(entries) <= MAX_SUBJECTS * (1 + 1000 * DT / QUIET_S)
    assert [note for note in notes_of(book) if note.code == "guard.lag"] == [LAG]


@given(st.lists(st.sampled_from(["write", "look"]), max_size=60))
def test_whoever_asks_from_the_last_number_misses_nothing(steps: list[str]) -> None:
    book, read, written = NoteLog(), list[Note](), list[Note]()
    seen = 0
    for step in steps:
        if step == "write":
            written.append(plain(f"Entry {len(written)}."))
            book.write(0.0, "", written[-1])
        else:
            found = book.since(seen)
            assert [entry.number for entry in found] == list(range(seen + 1, seen + 1 + len(found)))
            read += [entry.note for entry in found]
            seen = book.said
    assert read + notes_of(book, seen) == written


def test_the_book_is_bounded_and_numbers_go_on() -> None:
    book = NoteLog()
    for number in range(1, 2 * MAX_ENTRIES + 2):
        book.write(0.0, "", plain(f"Entry {number}."))
    assert book.said == 2 * MAX_ENTRIES + 1
    kept = book.since(0)
    assert len(kept) == MAX_ENTRIES + 1
    assert (kept[0].number, kept[-1].number) == (MAX_ENTRIES + 1, 2 * MAX_ENTRIES + 1)
    assert [entry.number for entry in book.since(2 * MAX_ENTRIES)] == [2 * MAX_ENTRIES + 1]
    assert book.since(book.said) == ()
    book.write(0.0, "", plain("One more."))
    assert [entry.number for entry in book.since(2 * MAX_ENTRIES)] == [2 * MAX_ENTRIES + 1, 2 * MAX_ENTRIES + 2]
