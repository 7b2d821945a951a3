"""From the bytes of a reply to events, for everything that real servers send."""
