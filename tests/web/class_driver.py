"""Drive the phones of a class in a process of its own: PORT PATH PHONES SECONDS KEY MISTAKEN.

Every second phone sends the key, and all look for news all the time. Every twentieth connection is dropped
when its message is sent, and the phone sends it again; every tenth phone sends its reply twice. Prints how
long the phones waited, as JSON.
"""

import http.client
import json
import random
import socket
import sys
import time
from threading import Lock, Thread

port, path, phones, seconds = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
replies = sys.argv[5:7]
lock = Lock()
waits: list[float] = []
failed = dropped = 0


def ask(message: dict[str, object]) -> dict[str, object]:
    """Send a message and return its answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request("POST", f"{path}ask", json.dumps(message), {"Content-Type": "application/json"})
    answer: dict[str, object] = json.loads(connection.getresponse().read())
    connection.close()
    return answer


def drop(message: dict[str, object]) -> None:
    """Send a message, and go away before it is answered."""
    text = json.dumps(message)
    head = f"POST {path}ask HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall((head + text).encode())


def answer(place: int, pause: float) -> None:
    """Be one phone: look, think for a while, and answer."""
    global failed, dropped
    message: dict[str, object] = {
        "ask": "answer",
        "phone": f"phone {place}",
        "number": 0,
        "attempt": 1,
        "reply": replies[place % 2],
    }
    end = time.monotonic() + pause
    look = {"ask": "look", "phone": f"phone {place}"}
    try:
        message["number"] = ask(look)["number"]
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, chance.uniform(2, 3)))
            ask({**look, "known": message["number"]})
        if place % 20 == 0:
            drop(message)
            with lock:
                dropped += 1
        begun = time.monotonic()
        is_received = ask(message).get("received")
        wait = time.monotonic() - begun
        if place % 10 == 1:
            ask(message)
    except OSError:
        is_received, wait = False, 0.0
    with lock:
        failed += not is_received
        waits.append(wait)


chance = random.Random(phones)
threads = [Thread(target=answer, args=(place, chance.uniform(0, seconds))) for place in range(phones)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps({"failed": failed, "dropped": dropped, "waits": waits}))
