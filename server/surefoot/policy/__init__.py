"""What a change or an action may do: data and pure predicates."""
