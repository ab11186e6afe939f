"""What the pages show: answers as frozen values of words, numbers and positions; templates only place them."""
