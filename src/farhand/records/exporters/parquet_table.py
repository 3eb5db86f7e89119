"""A record as a Parquet table, for pandas, Polars, DuckDB and the like."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from farhand.extras import require_extra
from farhand.records.exporters.exporter import EXPORTERS, Progress, rows
from farhand.records.read import Record

__all__: list[str] = []


@EXPORTERS.register("parquet")
def _parquet(record: Record, target: Path, progress: Progress | None) -> None:
    """Parquet: one row for each kept tick, one column for each number; the run's description as metadata.

    Columns are as precise as the record: float32, and float64 for time and whole numbers that a tick may lack.
    """
    require_extra("data", "Parquet tables need pyarrow")
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = rows(record)
    types: dict[str, type[np.generic]] = {
        name: np.float32 if record.signal_types[name] is float else np.float64 for name in names
    }
    types |= {"time": np.float64, "number": np.int64}
    fields = [pa.field(name, pa.from_numpy_dtype(types[name])) for name in ("time", "number", *names)]
    schema = pa.schema(fields, {b"farhand.run": msgspec.json.encode(record.info)})
    with target.open("xb") as file, pq.ParquetWriter(file, schema, compression="zstd", use_dictionary=False) as made:
        for table in record.tables(names):
            made.write_table(pa.table([table[field.name].astype(types[field.name]) for field in fields], schema=schema))
            if progress:
                progress(int(table["number"][-1]) - record.info.tick, record.last - record.info.tick)
