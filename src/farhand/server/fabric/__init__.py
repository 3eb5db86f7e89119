"""The fabric: typed messages between the processes of a server and with remote masters, over Zenoh."""
