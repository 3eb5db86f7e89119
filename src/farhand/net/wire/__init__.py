"""The messages, one file for each thing they are about; `farhand.net.messages` has them all."""
