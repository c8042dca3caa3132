"""Labels of readers beside what turnmark says, cell by cell, whatever the suite."""
