-- Whether the names of its users differ by case; unknown until somebody decides.
ALTER TABLE server ADD COLUMN names_case_sensitive INTEGER;
