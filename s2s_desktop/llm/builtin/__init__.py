"""The built-in language model: llama.cpp in a supervised child process."""
