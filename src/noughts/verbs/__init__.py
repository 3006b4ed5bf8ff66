"""The verbs: what each answers, as a report."""
