import CMicroHTTPD

/// libmicrohttpd's own object for one answer.
///
/// Unchecked, and safe: every property is a constant. What `pointer` points at libmicrohttpd does not change once it
/// is queued; it counts its references under a lock of the object's own, and `deinit` gives back the only one that is
/// ours, after which nobody can reach the pointer through this any more.
final class NativeResponse: @unchecked Sendable {
    let status: Int
    /// Of the body as it goes out.
    let byteCount: Int
    let stream: StreamSource?
    /// Nil: the connection is reset in place of an answer.
    let pointer: OpaquePointer?

    static let reset = NativeResponse(status: 0, byteCount: 0, pointer: nil)

    /// For an answer that went out past libmicrohttpd.
    static func alreadySent(status: Int) -> NativeResponse {
        NativeResponse(status: status, byteCount: 0, pointer: nil)
    }

    /// Takes over the one reference that the pointer came with.
    private init(status: Int, byteCount: Int, pointer: OpaquePointer?, stream: StreamSource? = nil) {
        self.status = status
        self.byteCount = byteCount
        self.pointer = pointer
        self.stream = stream
    }

    deinit {
        if let pointer { MHD_destroy_response(pointer) }
    }

    convenience init(status: Int, headers: [Response.Header], bytes: [UInt8]) {
        let pointer = bytes.withUnsafeBufferPointer {
            // Copied by libmicrohttpd: nothing is written through the pointer.
            MHD_create_response_from_buffer(
                $0.count, UnsafeMutableRawPointer(mutating: $0.baseAddress), .RESPMEM_MUST_COPY)
        }
        self.init(status: status, byteCount: bytes.count, pointer: pointer)
        add(headers)
    }

    /// `length` nil: sent in chunks, its end is the stream's end.
    convenience init(status: Int, headers: [Response.Header], stream: StreamSource, length: Int?) {
        self.init(status: status, byteCount: 0, pointer: Self.pointer(stream, length), stream: stream)
        add(headers)
    }

    /// The stream is not started. libmicrohttpd 0.9.75 would send the last of the chunks that must not be
    /// there.
    convenience init(status: Int, headers: [Response.Header], headOfStream stream: StreamSource) {
        let pointer = Self.pointer(stream, nil)
        if let pointer { mhdshim_send_without_chunks(pointer) }
        self.init(status: status, byteCount: 0, pointer: pointer)
        add(headers)
    }

    private static func pointer(_ stream: StreamSource, _ length: Int?) -> OpaquePointer? {
        // The +1 ends in `streamFreed`, which libmicrohttpd calls with its last reference.
        let retained = Unmanaged.passRetained(stream).toOpaque()
        let size = length.map(UInt64.init) ?? UInt64.max
        let pointer = MHD_create_response_from_callback(size, 16_384, streamRead, retained, streamFreed)
        if pointer == nil { Unmanaged<StreamSource>.fromOpaque(retained).release() }
        return pointer
    }

    private func add(_ headers: [Response.Header]) {
        guard let pointer else { return }
        for (name, value) in headers { MHD_add_response_header(pointer, name, value) }
    }
}
