"""Strings to spans: fold, script, segments, quantities, scope and matching for zh, ko and en; knows no metric."""
