"""One key combination that reaches the program whichever window has the keyboard.

Each system lends exactly that combination: no other key that is pressed anywhere is ever seen.
"""
