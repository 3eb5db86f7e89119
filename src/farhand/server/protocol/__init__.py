"""The protocol: every message between page, gateway and cell, and the files generated from them."""
