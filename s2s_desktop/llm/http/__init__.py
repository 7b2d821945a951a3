"""From a profile to an HTTP exchange: addresses, keys, proxies, time limits, retries, negotiation."""
