"""How variants are described: presets, options and their conditions, rule codes, versions."""
