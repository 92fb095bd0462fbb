"""Games, against figures that were published and boards played out one by one."""
