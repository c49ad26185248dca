"""The demonstration: example studies in every state, filled with invented answers."""
