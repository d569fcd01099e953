"""A Submission becomes an Outcome, judged from outside its workers."""
