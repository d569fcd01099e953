"""What stands in nbgrader's own processes."""
