"""Agreement on units: where spans are and what they are called (Gamma, Gamma-cat, Gamma-k, alpha_U)."""
