"""Descriptions of variants: presets, options and their conditions, rule codes, versions."""
