"""The pages: HTML rendered by the server, refreshed in parts by htmx."""
