"""One file for each format of robot descriptions; each registers itself with `farhand.formats.reader_registry.reader`."""
