"""The kinds of agents that can be played to."""
