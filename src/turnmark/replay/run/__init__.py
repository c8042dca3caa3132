"""Many dialogues played at once, with what survives a kill."""
