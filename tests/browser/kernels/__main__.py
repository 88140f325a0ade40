"""How far the pages' theory is from Python's: `python -m tests.browser.kernels [PART OF A NAME]`."""

import shutil
import sys
import time

from playwright.sync_api import sync_playwright

from tests.browser.kernels import ACCURACY, FLAGS, differences, kernels, with_scripts

with sync_playwright() as playwright:
    chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
    for kernel in kernels():
        if len(sys.argv) > 1 and sys.argv[1] not in kernel.call:
            continue
        started = time.monotonic()
        with with_scripts(chromium, kernel.script) as page:
            worst = differences(kernel, page)
        word = "ok" if worst.error <= ACCURACY else "WRONG"
        seconds = time.monotonic() - started
        print(f"{word} {kernel.call}: {worst.error:.2g} over {worst.numbers} numbers, {seconds:.0f} s")
        if word != "ok":
            print("   ", worst.where[:600])
