"""What the service tells of itself: logs, metrics, traces, and the files for Prometheus and Grafana."""
