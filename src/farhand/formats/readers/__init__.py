"""One file for each format of robot descriptions; each registers itself with `reader` of `farhand.formats`."""
