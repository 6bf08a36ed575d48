"""Monitoring for the operator: metrics, liveness and readiness, on a local port."""
