"""Running assistants over datasets: agents, what they may tell, and the schedule that plays the turns."""
