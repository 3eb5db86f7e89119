"""The cell's own process: the 500 Hz loop, what it takes in and what it tells. No asyncio, no disk, no busy threads."""
