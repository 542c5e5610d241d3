"""Pictures of a table as SVG, made on the server for screens that run no script (`Rules.picture`).

They have nothing but shapes, groups and words: no script, no style, no link and no address.
"""
