"""A local web application over run folders: browse, compare, label."""
