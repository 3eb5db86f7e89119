"""The studio: a process that draws what robots' cameras see. It is started by the gateway when somebody looks."""
