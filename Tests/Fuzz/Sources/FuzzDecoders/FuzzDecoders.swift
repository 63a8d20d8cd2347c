import CFuzzer
import StoryCard

/// Bytes as a picture: it is one, or an error; never a crash, a hang or a large allocation.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoders(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    tryPicture(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

@main struct FuzzDecoders {
    static func main() { _ = pasteup_fuzz(CommandLine.argc, CommandLine.unsafeArgv) }
}
