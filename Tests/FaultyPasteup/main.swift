internal import Glibc
internal import PasteupCLI
internal import Values

// The program as it is shipped, with faults that the environment asks for. Tests alone build and run it.
//
// `FAULT` holds strikes (see `Strike`) with semicolons between them, `FAULT_MARK` the path of a file that is made when the
// first of them strikes, `FAULT_CLOCK` how far the time of day is off: "1h", "-30m"; `FAULT_HOOK_TIMEOUT` is how long a hook
// may take.

func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

var faults = ProgramFaults()
let strikes = Strikes(variable("FAULT") ?? "", mark: variable("FAULT_MARK"))
faults.journal = { strikes.journal($0) }
faults.client = { StrikingClient(client: $0, strikes: strikes) }
if let text = variable("FAULT_CLOCK") { faults.clock = ShiftedClock(text) }
if let text = variable("FAULT_HOOK_TIMEOUT") { faults.hookTimeout = Duration(text: text) ?? .zero }
await Pasteup.main(Array(CommandLine.arguments.dropFirst()), faults: faults)
