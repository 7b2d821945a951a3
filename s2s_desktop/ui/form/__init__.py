"""What a form is made of: fields that stand for settings, their controls, and the groups they form."""
