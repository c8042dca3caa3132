"""What is learned: the measures of a claim beside its material, and the weights fitted on them."""
