"""The messages, one file per subject; import them from `farhand.server.protocol.messages`."""
