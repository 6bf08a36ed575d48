"""The door: what people do arrives once, and what answers it is read by nobody else."""
