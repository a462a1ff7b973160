"""What Milepost's memory costs: loading many triples into it, holding them, and changing a few of them."""
