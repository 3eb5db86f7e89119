"""A record as a Parquet table, for pandas, Polars, DuckDB and the like."""

from __future__ import annotations

from pathlib import Path

import msgspec

from farhand.records.errors import RecordError
from farhand.records.exporters.exporter import EXPORTERS, Progress, rows
from farhand.records.read import Record

__all__: list[str] = []


@EXPORTERS.register("parquet")
def _parquet(record: Record, target: Path, progress: Progress | None) -> None:
    """Parquet: one row for each kept tick, one column for each number; the run's description as metadata."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise RecordError("Parquet needs the package pyarrow: pip install 'farhand[data]'") from error
    table = record.table(rows(record))
    counters = {"number"}
    arrays = [
        pa.array(values.astype("int64")) if name in counters else pa.array(values, type=pa.float64())
        for name, values in table.items()
    ]
    metadata = {b"farhand.run": msgspec.json.encode(record.info)}
    made = pa.table(arrays, names=list(table)).replace_schema_metadata(metadata)
    with target.open("xb") as file:
        pq.write_table(made, file, compression="zstd")
    if progress:
        progress(len(table["time"]), len(table["time"]))
