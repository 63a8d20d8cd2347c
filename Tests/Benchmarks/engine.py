"""The measuring part of engine.sh: makes the files, has hyperfine run all commands in turns, and judges the medians."""

import json
import os
import shlex
import statistics
import subprocess
import sys

program, folder, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
binaries = f"{folder}/venv/bin"
# Prefect is hopelessly slow: it gets fewer steps, and its time stands for 1,000.
prefect_steps = 100


def write(name, lines):
    path = f"{folder}/{name}"
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return path


def workflow(shape, kind, count):
    lines = [f"name: {kind}-{shape}", "steps:"]
    for step in range(count):
        lines.append(f"  s{step}:")
        if kind == "exec":
            lines += ["    uses: exec.run", "    effect: pure", "    with: { command: ['true'] }"]
        else:
            lines += ["    uses: text.render", "    with: { text: x }"]
        if shape == "chain" and step:
            lines.append(f"    needs: [s{step - 1}]")
    return write(f"{kind}-{shape}-{count}.yaml", lines)


def linked(count):
    """A chain in which each step reads what the one before it has made."""
    lines = ["name: linked", "steps:"]
    for step in range(count):
        text = f"${{{{ steps.s{step - 1}.outputs.text }}}}" if step else "x"
        lines += [f"  s{step}:", "    uses: text.render", f"    with: {{ text: '{text}' }}"]
    return write(f"linked-{count}.yaml", lines)


def rows(count):
    """A part within a part for each row of a table; the inner one reads the row, and the whole list as well."""
    given = "{ text: '${{ inputs.text }}', all: '${{ inputs.all }}' }"
    inputs = ["inputs:", "  text: { type: string }", "  all: { type: list }", "steps:"]
    write("rows-inner.yaml", ["name: inner"] + inputs + [
        "  first: { uses: text.render, with: { text: '${{ inputs.text }} of ${{ inputs.all[0].text }}' } }",
        "  second: { uses: text.render, with: { text: '${{ steps.first.outputs.text }}' } }"])
    write("rows-outer.yaml", ["name: outer"] + inputs + ["  inner:", "    uses: ./rows-inner.yaml", f"    with: {given}"])
    write(f"rows-{count}.csv", ["text"] + [f"Text number {row}" for row in range(count)])
    return write(f"rows-{count}.yaml", [
        "name: rows", "inputs:", f"  rows: {{ type: table, default: rows-{count}.csv }}", "steps:", "  outer:",
        "    uses: ./rows-outer.yaml", "    for-each: ${{ inputs.rows }}",
        "    with: { text: '${{ item.text }}', all: '${{ inputs.rows }}' }"])


def before(shape, step):
    return f"s{step - 1}" if shape == "chain" and step else ""


def ends(shape, count):
    return [f"s{count - 1}"] if shape == "chain" else [f"s{step}" for step in range(count)]


def makefile(shape, count):
    lines = [".PHONY: all", "all: " + " ".join(ends(shape, count))]
    for step in range(count):
        lines += [f".PHONY: s{step}", f"s{step}: {before(shape, step)}", "\t@true"]
    return write(f"{shape}.mk", lines)


def taskfile(shape, count):
    lines = ["version: '3'", "silent: true", "tasks:", f"  default: {{ deps: [{', '.join(ends(shape, count))}] }}"]
    lines += [f"  s{step}: {{ deps: [{before(shape, step)}], cmds: ['true'] }}" for step in range(count)]
    return write(f"{shape}.task.yaml", lines)


def luigi(shape, count):
    required = "Step(self.number - 1) if self.number else []" if shape == "chain" else "[]"
    last = f"[Step({count - 1})]" if shape == "chain" else f"[Step(number) for number in range({count})]"
    return write(f"luigi_{shape}.py", [
        "import sys", "import luigi", "sys.setrecursionlimit(100_000)", "class Step(luigi.Task):",
        "    number = luigi.IntParameter()", "    done = False",
        f"    def requires(self): return {required}",
        "    def run(self): self.done = True", "    def complete(self): return self.done",
        f"sys.exit(not luigi.build({last}, local_scheduler=True, log_level='ERROR'))",
    ])


def prefect(shape, count):
    wait = "wait_for=[last] if last else []" if shape == "chain" else ""
    return write(f"prefect_{shape}.py", [
        "from prefect import flow, task", "@task", "def step(): pass", "@flow", "def steps():",
        "    last = None", "    futures = []", f"    for number in range({count}):",
        f"        last = step.submit({wait})", "        futures.append(last)",
        "    for future in futures: future.result()", "steps()",
    ])


def run(shape, kind, count):
    return f"{program} run {workflow(shape, kind, count)} --quiet --state {folder}/state"


def peak(command):
    """Of the program alone, in MB."""
    script = (
        "import resource, shlex, subprocess, sys\n"
        "subprocess.run(shlex.split(sys.argv[1]), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    output = subprocess.run([sys.executable, "-c", script, command], check=True, capture_output=True, text=True).stdout
    return int(output) / 1000


commands = {}
for shape in ["chain", "fan-out"]:
    commands[f"{shape} text.render"] = run(shape, "text", 1000)
    commands[f"{shape} exec.run true"] = run(shape, "exec", 1000)
    commands[f"{shape} make"] = f"make --silent --file {makefile(shape, 1000)}"
    commands[f"{shape} go-task"] = f"{binaries}/task --taskfile {taskfile(shape, 1000)}"
    commands[f"{shape} Luigi"] = f"{binaries}/python {luigi(shape, 1000)}"
    commands[f"{shape} 10,000 text.render"] = run(shape, "text", 10_000)
    for verb in ["validate", "plan"]:
        for count in [1000, 10_000]:
            commands[f"{shape} {verb} {count}"] = f"{program} {verb} {workflow(shape, 'text', count)}"
    for count in [1000, 10_000]:
        kept = f"{folder}/kept-{shape}-{count}"
        arguments = shlex.split(run(shape, "text", count).replace(f"{folder}/state", kept))
        subprocess.run(arguments, check=True, capture_output=True)
        listed = subprocess.run([program, "list", "--state", kept], check=True, capture_output=True, text=True).stdout
        commands[f"{shape} show {count}"] = f"{program} show {listed.splitlines()[1].split()[0]} --state {kept}"

growing = {"linked": [linked, "validate", "graph", "plan", "plan --json"], "rows": [rows, "validate", "graph", "plan"]}
for name, (make, *verbs) in growing.items():
    for count in [1000, 10_000]:
        for verb in verbs:
            commands[f"{name} {verb} {count}"] = f"{program} {verb} {make(count)}"
        commands[f"{name} run {count}"] = f"{program} run {make(count)} --quiet --state {folder}/state"

times = {name: [] for name in commands}


def measure(names, runs, environment=None):
    export = f"{folder}/times.json"
    arguments = ["hyperfine", "--shell=none", "--style=none", "--runs", str(runs), "--export-json", export]
    arguments += ["--prepare", f"rm -rf {folder}/state"]
    for name in names:
        arguments += ["--command-name", name, commands[name]]
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    with open(export) as file:
        for result in json.load(file)["results"]:
            times.setdefault(result["command"], []).extend(result["times"])


# One that does not count fills the caches.
measure(list(commands), 1)
times = {name: [] for name in commands}
for _ in range(rounds):
    measure(list(commands), 1)

if os.path.exists(f"{binaries}/prefect"):
    quiet = dict(
        os.environ, PREFECT_HOME=f"{folder}/prefect", PREFECT_LOGGING_LEVEL="CRITICAL",
        PREFECT_SERVER_ANALYTICS_ENABLED="false", PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS="300",
        DO_NOT_TRACK="1")
    for shape in ["chain", "fan-out"]:
        commands[f"{shape} Prefect"] = f"{binaries}/python {prefect(shape, prefect_steps)}"
    try:
        measure([name for name in commands if "Prefect" in name], 3, quiet)
    except subprocess.CalledProcessError:
        print("Prefect is left out: it does not run here", file=sys.stderr)

median = {name: statistics.median(values) for name, values in times.items()}
missed = 0


def ratio(name, *others):
    """The median over the rounds: the commands of a round meet the machine in the same mood."""
    return statistics.median(own / min(rest) for own, *rest in zip(times[name], *(times[other] for other in others)))


def judge(text, measured, bound, unit, at_least=False):
    global missed
    holds = measured >= bound if at_least else measured <= bound
    missed += not holds
    relation = "at least" if at_least else "at most"
    print(f"{'holds' if holds else 'MISSED':7} {text:60} {measured:8.2f}{unit:3} {relation} {bound:.2f}{unit}")


print("\nmedians, in ms")
for name in sorted(median):
    print(f"{name:32} {median[name] * 1000:10.1f}")
print("\ntargets")
for shape in ["chain", "fan-out"]:
    text = f"{shape} text.render"
    judge(f"{text} : the faster of make and go-task", ratio(text, f"{shape} make", f"{shape} go-task"), 1, "x")
    judge(f"{shape} exec.run true : make", ratio(f"{shape} exec.run true", f"{shape} make"), 1.3, "x")
    judge(f"{shape} Luigi : text.render", ratio(f"{shape} Luigi", text), 10, "x", at_least=True)
    if f"{shape} Prefect" in median:
        # Far less than its 1,000 steps would take.
        measured = median[f"{shape} Prefect"] / median[text]
        judge(f"{shape} Prefect, {prefect_steps} steps : text.render, 1,000", measured, 10, "x", at_least=True)
    judge(f"{shape}, a step of 10,000 : one of 1,000", ratio(f"{shape} 10,000 text.render", text) / 10, 1.5, "x")
    for verb in ["validate", "plan", "show"]:
        growth = ratio(f"{shape} {verb} 10000", f"{shape} {verb} 1000") / 10
        judge(f"{shape}, {verb}, a step of 10,000 : one of 1,000", growth, 1.5, "x")
    judge(f"{shape} of 10,000 text.render, peak memory", peak(run(shape, "text", 10_000)), 150, "MB")
for name, (_, *verbs) in growing.items():
    for verb in [*verbs, "run"]:
        growth = ratio(f"{name} {verb} 10000", f"{name} {verb} 1000") / 10
        judge(f"{name}, {verb}, a step of 10,000 : one of 1,000", growth, 1.5, "x")
judge("chain of 10,000 exec.run true, peak memory", peak(run("chain", "exec", 10_000)), 150, "MB")
sys.exit(missed > 0)
