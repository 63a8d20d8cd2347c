import StoryCard

/// libFuzzer's entry: any bytes are a picture or an error, never a crash, a hang or a large allocation.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDecoders(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    tryPicture(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
