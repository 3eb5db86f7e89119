"""The parts of reading MJCF: includes, asset files, scene parts, drives and poses."""
