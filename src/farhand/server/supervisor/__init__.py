"""The supervisor: start, watch and restart the gateway and the cells, and end all of them with itself."""
