"""What an operator watches: figures of a running bot, and whether it is alive, on a port of this machine alone."""
