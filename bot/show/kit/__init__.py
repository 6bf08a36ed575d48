"""The building blocks of every screen: layout, custom ids, sentences, card symbols, forms."""
