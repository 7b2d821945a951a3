"""The conversation: the only place that knows the order of the stages."""
