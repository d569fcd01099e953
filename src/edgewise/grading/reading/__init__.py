"""Any folder that was handed in becomes a Submission."""
