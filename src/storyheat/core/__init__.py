"""The core decides: values in, values out; no clock, file, socket, database or randomness."""
