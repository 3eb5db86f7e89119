"""The cell's own process: the 500 Hz loop, its intake and its frames. No asyncio, no disk, no busy threads."""
