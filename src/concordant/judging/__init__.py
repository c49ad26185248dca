"""MAY A MODEL STAND FOR A PERSON, and what disagreement says: judges, corrected results, perspectives, severities."""
