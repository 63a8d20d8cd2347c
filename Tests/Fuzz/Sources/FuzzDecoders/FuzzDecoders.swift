import StoryCard

/// libFuzzer's entry: any bytes are a picture or an error, never a crash, a hang or a large allocation.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoders(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    tryPicture(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// What SwiftPM makes the program's `main`: libFuzzer's driver.
@_cdecl("FuzzDecoders_main")
public func runFuzzer(
    _ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    var (count, words) = (count, words)
    return runDriver(&count, &words, fuzzDecoders)
}

/// libFuzzer's own (compiler-rt, FuzzerInterface.h).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt
