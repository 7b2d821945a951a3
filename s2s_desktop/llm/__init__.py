"""Language models behind two interchangeable backends, `responses-api` and `chat-completions`."""
