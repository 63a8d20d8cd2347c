internal import CMicroHTTPD

/// Reads `application/x-www-form-urlencoded` and `multipart/form-data` bodies, by libmicrohttpd's post processor.
///
/// Used by one thread.
final class FormReader {
    private var processor: OpaquePointer?
    private var fields: [HTTPServerRequest.Field] = []
    private var isBroken = false

    /// Nil when the request's `Content-Type` is no form.
    init?(_ connection: OpaquePointer) {
        processor = MHD_create_post_processor(
            connection, 64 << 10,
            { reader, _, name, fileName, contentType, _, data, offset, count in
                Unmanaged<FormReader>.fromOpaque(reader!).takeUnretainedValue().add(
                    name: name, fileName: fileName, contentType: contentType,
                    UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : count), at: offset)
                return .YES
            }, Unmanaged.passUnretained(self).toOpaque())
        guard processor != nil else { return nil }
    }

    deinit { if let processor { MHD_destroy_post_processor(processor) } }

    func receive(_ bytes: UnsafeRawBufferPointer) {
        guard let processor, !isBroken else { return }
        isBroken =
            MHD_post_process(processor, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count) != .YES
    }

    /// The fields in their order; nil for a body that breaks its format or ends too early.
    func finish() -> [HTTPServerRequest.Field]? {
        guard let processor else { return nil }
        self.processor = nil
        // The last field of an urlencoded body comes out of this call.
        let isComplete = MHD_destroy_post_processor(processor) == .YES
        return isComplete && !isBroken ? fields : nil
    }

    /// A piece of a field's content; the first one has offset 0.
    private func add(
        name: UnsafePointer<CChar>?, fileName: UnsafePointer<CChar>?, contentType: UnsafePointer<CChar>?,
        _ bytes: UnsafeRawBufferPointer, at offset: UInt64
    ) {
        if offset == 0 || fields.isEmpty {
            fields.append(
                HTTPServerRequest.Field(
                    name: name.map { String(cString: $0) } ?? "", fileName: fileName.map { String(cString: $0) },
                    contentType: contentType.map { String(cString: $0) }))
        }
        fields[fields.count - 1].bytes.append(contentsOf: bytes)
    }
}
