"""Contact: the force at the tip, force feedback to the hand, and unloading an arm that presses too hard."""
