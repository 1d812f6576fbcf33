"""The protocol kit: a broker that follows scripts, and what a client has to send and tell meanwhile."""
