"""Benchmarks: every figure beside a control from the same run, because machines are shared and noisy."""

from farhand_bench.rows import Row, as_json, table

__all__ = ["Row", "as_json", "table"]
