"""The words of pages: gettext catalogues, one a language (``LANGUAGE/LC_MESSAGES/turnmark.mo``), and their lookup."""
