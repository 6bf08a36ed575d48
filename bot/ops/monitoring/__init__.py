"""Monitoring for the operator.

Metrics, liveness and readiness of a running bot, on a local port.
"""
