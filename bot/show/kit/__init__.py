"""What every screen is made of: layout, custom ids, sentences, card symbols, forms."""
