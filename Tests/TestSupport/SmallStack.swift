internal import Glibc

/// Runs the body on a thread with a stack of 512 KiB, as blocking work runs in the program, and waits for it.
public func onSmallStack(_ body: @escaping @Sendable () -> Void) {
    final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    pthread_attr_init(attributes)
    pthread_attr_setstacksize(attributes, 512 << 10)
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    let code = pthread_create(
        &thread, attributes,
        { pointer in
            Unmanaged<Box>.fromOpaque(pointer!).takeRetainedValue().body()
            return nil
        }, box)
    precondition(code == 0, "pthread_create: \(code)")
    pthread_join(thread, nil)
    pthread_attr_destroy(attributes)
    attributes.deallocate()
}
