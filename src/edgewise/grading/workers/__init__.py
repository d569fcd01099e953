"""The confined processes that run student code, and the conversation with them."""
