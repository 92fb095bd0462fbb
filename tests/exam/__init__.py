"""Blueprints, rosters, papers and manifests."""
