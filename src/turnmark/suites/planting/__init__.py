"""What planted errors are made of; which errors are planted is what each suite knows."""
