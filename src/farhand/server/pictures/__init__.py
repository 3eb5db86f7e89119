"""The picture process: draws the pictures of the robots' cameras. The gateway starts it with the first request."""
