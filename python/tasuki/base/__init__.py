"""What everything else stands on: errors, and where compiled programs are."""
