"""The tone of replies to e-mails, as a suite of turnmark."""
