"""One door to the judges of every kind of certificate that the package writes."""
