"""Drive a running server from a program: a client, a remote master, and a server of your own to test against."""
