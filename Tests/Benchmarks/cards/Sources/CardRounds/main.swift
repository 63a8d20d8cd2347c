import Glibc
import StoryCard

// CardRounds PHOTO ROUNDS THREADS: composes the benchmark's card again and again, on that many threads at once.
// Prints the wall time in milliseconds and the peak of memory in megabytes. Cards that differ are an error.

let words = CommandLine.arguments
guard words.count == 4, let rounds = Int(words[2]), let threads = Int(words[3]), rounds > 0, threads > 0 else {
    print("usage: CardRounds PHOTO ROUNDS THREADS")
    exit(2)
}
let trial = Trial(photo: words[1])
// The fonts are loaded once for each process; what a batch costs is what comes after.
let first = trial.compose()
var start = timespec()
clock_gettime(CLOCK_MONOTONIC, &start)
let differing = trial.run(rounds: rounds, threads: threads, expected: first)
var end = timespec()
clock_gettime(CLOCK_MONOTONIC, &end)
let milliseconds = Double(end.tv_sec - start.tv_sec) * 1000 + Double(end.tv_nsec - start.tv_nsec) / 1e6
var usage = rusage()
getrusage(__rusage_who_t(0), &usage)
print("\(milliseconds) \(Double(usage.ru_maxrss) / 1024)")
exit(differing == 0 ? 0 : 1)
