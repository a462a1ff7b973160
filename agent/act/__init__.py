"""Writing the world: requests carried out."""
