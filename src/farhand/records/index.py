"""An index of runs, for lists and searches: a cache in SQLite, rebuilt from the files whenever it is missing or old."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa

from farhand.records.errors import RecordError
from farhand.records.summary import Summary, summary_of

__all__ = ["RunIndex"]

ROWS_AT_ONCE = 200
VERSION = 2
"""Number of the table's form; an index of another one is thrown away."""
_KINDS: dict[str, type[sa.types.TypeEngine[Any]]] = {
    "str": sa.String,
    "int": sa.BigInteger,
    "float": sa.Float,
    "bool": sa.Boolean,
}
_TABLES = sa.MetaData()
_RUNS = sa.Table(
    "runs",
    _TABLES,
    sa.Column("changed", sa.BigInteger, nullable=False),
    *[
        sa.Column(field.name, _KINDS[field.type.__name__ if isinstance(field.type, type) else str(field.type)])
        for field in msgspec.structs.fields(Summary)
    ],
    sa.PrimaryKeyConstraint("file"),
    sa.Index("runs_started", "started"),
)


class RunIndex:
    """The runs of a folder.

    Args:
        folder: Where their files are; the index lies beside them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._engine = sa.create_engine(f"sqlite:///{folder / 'index.sqlite'}", connect_args={"timeout": 5.0})
        self._unreadable: dict[str, tuple[int, str]] = {}
        try:
            self._prepare()
        except sa.exc.OperationalError as error:
            self._engine.dispose()
            raise RecordError(f"{folder / 'index.sqlite'} cannot be used: {error.orig}") from error
        except sa.exc.DatabaseError:  # it is no database: a cache is made again
            self._engine.dispose()
            for name in ("index.sqlite", "index.sqlite-wal", "index.sqlite-shm"):
                (folder / name).unlink(missing_ok=True)
            self._prepare()

    def _prepare(self) -> None:
        with self._connection() as connection:
            connection.exec_driver_sql("PRAGMA journal_mode=WAL")
            version = connection.exec_driver_sql("PRAGMA user_version").scalar()
            if version != VERSION:
                connection.exec_driver_sql("DROP TABLE IF EXISTS runs")
                _TABLES.create_all(connection)
                connection.exec_driver_sql(f"PRAGMA user_version={VERSION}")

    @contextmanager
    def _connection(self) -> Iterator[sa.Connection]:
        with self._engine.begin() as connection:
            yield connection

    def __enter__(self) -> RunIndex:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the index."""
        self._engine.dispose()

    def refresh(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Bring the index up to date with the files: those that are new, changed or gone.

        Args:
            progress: Called with the number of files looked at and of all.
        """
        files = {path.name: path for path in self.folder.glob("*.mcap")}
        with self._connection() as connection:
            known: dict[str, int] = {
                row.file: row.changed for row in connection.execute(sa.select(_RUNS.c.file, _RUNS.c.changed))
            }
        self._put([name for name in known if name not in files], [])
        changes = {path: _changed(path) for _, path in sorted(files.items())}
        new = [path for path, changed in changes.items() if known.get(path.name) != changed]
        rows: list[dict[str, Any]] = []
        for i, path in enumerate(new):
            changed = changes[path]
            if self._unreadable.get(path.name, (0, ""))[0] == changed:
                continue
            try:
                rows.append({"changed": changed, **msgspec.structs.asdict(summary_of(path))})
                self._unreadable.pop(path.name, None)
            except (RecordError, OSError) as error:
                self._unreadable[path.name] = (changed, str(error))
            if len(rows) >= ROWS_AT_ONCE:
                self._put([], rows)
                rows = []
            if progress:
                progress(i + 1, len(new))
        self._put([], rows)

    def _put(self, gone: list[str], rows: list[dict[str, Any]]) -> None:
        """Remove rows and put others in place of those of the same files."""
        names = [*gone, *[row["file"] for row in rows]]
        if not names:
            return
        with self._connection() as connection:
            for start in range(0, len(names), 500):
                connection.execute(sa.delete(_RUNS).where(_RUNS.c.file.in_(names[start : start + 500])))
            if rows:
                connection.execute(sa.insert(_RUNS), rows)

    @property
    def unreadable(self) -> dict[str, str]:
        """Files that are no readable records, with the reason; known after `refresh`."""
        return {name: reason for name, (_, reason) in self._unreadable.items() if (self.folder / name).exists()}

    def runs(self, text: str = "", cell: str = "", limit: int = 200, offset: int = 0) -> list[Summary]:
        """Return runs, the newest first.

        Args:
            text: Only runs with this text in title, tags, outcome, owner, cell or identifier.
            cell: Only runs of this cell.
            limit: Number of runs at most.
            offset: Number of runs to pass over.
        """
        query = sa.select(*[_RUNS.c[name] for name in Summary.__struct_fields__]).order_by(_RUNS.c.started.desc())
        if cell:
            query = query.where(_RUNS.c.cell == cell)
        for word in text.split():
            columns = [_RUNS.c[name] for name in ("title", "tags", "outcome", "who", "cell", "run")]
            query = query.where(sa.or_(*[column.icontains(word, autoescape=True) for column in columns]))
        with self._connection() as connection:
            found = connection.execute(query.limit(limit).offset(offset)).mappings()
            return [Summary(**row) for row in found]

    def count(self) -> int:
        """Return the number of runs."""
        with self._connection() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(_RUNS)).scalar_one())


def _changed(path: Path) -> int:
    try:
        found = path.stat()
    except OSError:
        return 0
    return found.st_mtime_ns ^ found.st_size
