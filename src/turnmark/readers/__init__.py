"""Files that users have, in the form that they have them in: tables, JSON, chat logs."""
