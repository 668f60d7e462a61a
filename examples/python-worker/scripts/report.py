"""What cron called at night, unchanged."""

import sys

print(f"the report of {sys.argv[1]}")
