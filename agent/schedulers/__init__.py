"""Who comes next when a service cannot serve everybody: penalties, predictions, ranks, decisions. Pure."""
