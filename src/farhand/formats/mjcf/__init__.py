"""The parts of reading MJCF: includes, asset files, what belongs to a scene, drives and poses."""
