"""Dice: the chains and throws of tables, and the files and figures by which rolls are recounted."""
