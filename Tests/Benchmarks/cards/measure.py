"""Runs the programs that run.sh has built, turn by turn, and prints the table."""
import os
import shutil
import statistics
import subprocess
import sys
import time

work, here = os.environ["PASTEUP_WORK"], os.environ["HERE"]
photo, large, out = work + "/photo.jpg", work + "/large.jpg", work + "/out.jpg"
pasteup = [os.environ["PASTEUP"], "card", "preview"]
programs = {
    "bare libjpeg-turbo": [work + "/bound", photo, out],
    "pasteup": pasteup + [work + "/card.yaml", "-o", out],
    "pasteup, 12 MP photo": pasteup + [work + "/large.yaml", "-o", out],
    "Pillow": [sys.executable, here + "/pillow.py", photo, out],
    "ImageMagick": [here + "/convert.sh", photo, out],
}
if not shutil.which("convert"):
    del programs["ImageMagick"]


def measured(command):
    start = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{command} ended with {child.returncode}")
    return (time.perf_counter() - start) * 1000, usage.ru_maxrss / 1024


walls = {name: [] for name in programs}
peaks = {name: 0.0 for name in programs}
for turn in range(10):
    for name, command in programs.items():
        wall, peak = measured(command)
        if turn > 0:
            walls[name].append(wall)
        peaks[name] = max(peaks[name], peak)


def rounds(threads):
    words = subprocess.run(
        [os.environ["ROUNDS"], photo, "50", str(threads)], check=True, capture_output=True, text=True).stdout.split()
    return float(words[0]), float(words[1])


one = statistics.median(rounds(1)[0] for _ in range(3))
two = statistics.median(rounds(2)[0] for _ in range(3))
bound = statistics.median(measured([work + "/bound", photo, out, "50"])[0] for _ in range(3))

median = {name: statistics.median(times) for name, times in walls.items()}
print("| 1440x1800 JPEG, blurred background, sticker, four texts | wall | peak RSS |\n| --- | --- | --- |")
for name in programs:
    print(f"| {name} | {median[name]:.0f} ms | {peaks[name]:.0f} MB |")
print(f"| pasteup, 50 cards in one process, each | {one / 50:.0f} ms | |")
print(f"| the same with two threads | {two / 50:.0f} ms | |")

targets = [
    ("whole process / Pillow", median["pasteup"] / median["Pillow"], 0.5),
    ("whole process / bound", median["pasteup"] / median["bare libjpeg-turbo"], 7),
    ("50 cards / 50 rounds of the bound", one / bound, 9),
    ("two threads / one, time", two / one, 1 / 1.8),
    ("peak in MB", peaks["pasteup"], 80),
    ("peak in MB, 12 MP", peaks["pasteup, 12 MP photo"], 80),
]
missed = False
print()
for name, value, limit in targets:
    missed |= value > limit
    print(f"{name}: {value:.2f}, target {limit:.2f}{'  MISSED' if value > limit else ''}")
sys.exit(missed)
