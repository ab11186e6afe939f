"""Brings in what the sources publish: requests, documents, pages."""
