"""The messages, one file for each thing they are about; `farhand.server.protocol.messages` has them all."""
