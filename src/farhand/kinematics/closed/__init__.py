"""Closed forms: the exact inverse kinematics of arms whose axes allow one."""
