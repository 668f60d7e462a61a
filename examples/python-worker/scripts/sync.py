"""What cron called every quarter of an hour, unchanged."""

print("in sync")
