"""The proof: laws, oracles, published cases, golden files and benchmarks."""
