"""A real browser for tests of pages: Chromium without a window, spoken to in its DevTools protocol through two pipes."""

import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def path():
    """The browser's file; None where there is none."""
    return next((found for found in map(shutil.which, NAMES) if found), None)


class Chromium:
    """One page. Console messages, exceptions and requests are collected from its beginning."""

    def __init__(self, width=1280, height=800, mobile=False):
        self.folder = tempfile.TemporaryDirectory(prefix="tenon-chromium-", ignore_cleanup_errors=True)
        self.count = 0
        self.buffer = b""
        self.events = []
        self.problems = []
        self.requests = []
        self._start(width, height)
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)

    def _start(self, width, height):
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()
        # The browser reads descriptor 3 and writes descriptor 4. Ours are moved away first, in case they have these numbers.
        flags = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
                 "--enable-unsafe-swiftshader", "--hide-scrollbars", "--no-first-run", "--disable-extensions",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}", f"--window-size={width},{height}"]  # fmt: skip
        script = 'exec 13<&"$1" 14>&"$2"; exec 3<&13 4>&14 13<&- 14>&-; shift 2; exec "$@"'
        self.session = None
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", str(to_browser), str(from_browser), path(), *flags],
            pass_fds=[to_browser, from_browser], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session and not method.startswith("Target."):
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        number = self.count
        while True:
            answer = self._receive()
            if answer.get("id") == number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def _receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.answers, 1 << 20)
            assert piece, "the browser has ended"
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self._note(message.get("method"), message.get("params", {}))
        return message

    def _note(self, method, parameters):
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ["error", "warning", "assert"]:
            self.problems.append(" ".join(str(part.get("value", part.get("description"))) for part in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ["error", "warning"]:
            self.problems.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def open(self, file):
        answer = self.call("Page.navigate", url=pathlib.Path(file).resolve().as_uri())
        assert "errorText" not in answer, (file, answer["errorText"])
        self.wait("document.documentElement?.dataset.ready === 'true'")

    def value(self, expression):
        """Of a JavaScript expression; promises are awaited."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (expression, result["exceptionDetails"])
        return result["result"].get("value")

    def wait(self, expression, seconds=60):
        deadline = time.monotonic() + seconds
        while not self.value(expression):
            assert time.monotonic() < deadline, (expression, self.problems)
            time.sleep(0.05)

    def frames(self, count=2):
        """Lets the page draw."""
        step = "new Promise((done) => requestAnimationFrame(() => done(true)))"
        for _ in range(count):
            self.value(step)

    def key(self, key, code=None):
        text = key if len(key) == 1 else ""
        for kind in ["keyDown", "keyUp"]:
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, text=text if kind == "keyDown" else "")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y, count=1):
        self.mouse("mouseMoved", x, y)
        for kind in ["mousePressed", "mouseReleased"]:
            self.mouse(kind, x, y, button="left", clickCount=count)

    def drag(self, x0, y0, x1, y1):
        self.mouse("mouseMoved", x0, y0)
        self.mouse("mousePressed", x0, y0, button="left", clickCount=1)
        for i in range(1, 9):
            self.mouse("mouseMoved", x0 + (x1 - x0) * i / 8, y0 + (y1 - y0) * i / 8, button="left", buttons=1)
        self.mouse("mouseReleased", x1, y1, button="left", clickCount=1)

    def screenshot(self, file):
        self.frames(3)
        file = pathlib.Path(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
        return file

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        os.close(self.commands)
        os.close(self.answers)
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
