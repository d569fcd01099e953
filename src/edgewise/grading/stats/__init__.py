"""How the exercises of a session did, from the records of its grades."""
