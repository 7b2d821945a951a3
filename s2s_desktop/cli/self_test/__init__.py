"""`s2s-desktop --self-test`: does everything that belongs to this installation load and run?

`doctor` looks at the user's computer; this looks at the program itself, and is what checks each frozen build.
"""
