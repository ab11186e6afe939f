"""Asks a language model, by the interface that OpenAI's has made common; the only place that knows it."""
