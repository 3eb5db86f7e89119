"""Contact: the force at the tip, force feedback to the hand, and postures that give way."""
