"""Closed forms: the exact inverse of arms whose axes allow one."""
