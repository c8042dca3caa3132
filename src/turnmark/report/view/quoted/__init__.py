"""Sentences of a reply as they are quoted: which ones speak for a run, cut to length, words marked."""
