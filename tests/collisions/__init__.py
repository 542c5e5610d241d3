"""Two acts at one moment on the same person and the same night; then the laws are asked of the database."""
