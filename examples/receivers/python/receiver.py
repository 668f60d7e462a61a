"""Receives deliveries. Needs the package ``quarterjack``, and nothing else."""

import os
from wsgiref.simple_server import make_server

from quarterjack import Delivery, Receiver


def receive(delivery: Delivery) -> None:
    print(delivery.job_id, delivery.json())  # your work; deduplicate by delivery.id


# With the secrets of QUARTERJACK_SECRET, and for any server of WSGI; ``.asgi`` is for those of ASGI.
app = Receiver(receive).wsgi

if __name__ == "__main__":
    make_server("127.0.0.1", int(os.environ.get("PORT", "9000")), app).serve_forever()
