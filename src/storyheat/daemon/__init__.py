"""The daemon: a small process that stays and plans, and for each run another one that ends with it."""
