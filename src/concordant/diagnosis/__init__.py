"""WHY agreement is not higher."""
