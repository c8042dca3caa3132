"""What holds over several turns: updates, contradictions, the elements of an assessment (UR, CCR, MCS, ASS)."""
