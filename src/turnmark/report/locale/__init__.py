"""The words of pages in Chinese, Korean and English."""
