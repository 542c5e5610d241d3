"""The pages: HTML rendered by the server, updated in parts by htmx."""
