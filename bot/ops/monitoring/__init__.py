"""Monitoring for the operator: metrics, liveness and readiness of a running bot, on a local port."""
