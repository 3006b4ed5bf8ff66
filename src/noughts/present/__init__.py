"""From results to sentences, tables and records, without input or output."""
