"""Farhand."""
