"""What a student hands in, read whatever it is, and graded. nbgrader is imported by `grading.nbgrader` alone."""
