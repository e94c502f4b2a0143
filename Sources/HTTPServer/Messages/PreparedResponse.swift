import Synchronization

/// An answer made once and given many times, such as a page's last render or a static file.
///
/// Holds what libmicrohttpd sends, plain, compressed and as a 304, so that answering copies nothing.
package final class PreparedResponse: Sendable {
    package let response: Response
    private let compression: Compression
    /// Of the first server that answers with it: nearly always the only one, and read without a lock.
    private let first = AtomicLazyReference<PreparedVariants>()
    private let others = Mutex<[Int: PreparedVariants]>([:])

    /// - Parameters:
    ///   - response: its body must be bytes, or empty
    ///   - compression: how hard to compress it for clients that accept gzip, when the first of them asks
    package init(_ response: Response, compression: Compression = .fast) {
        self.response = response
        self.compression = compression
    }

    /// Of its body, uncompressed.
    package var byteCount: Int { if case .bytes(let bytes) = response.body { bytes.count } else { 0 } }

    func reply(for request: Request, from maker: ResponseEncoder) -> NativeResponse {
        let variants = variants(maker)
        if let notModified = variants.notModified, ResponseEncoder.isNotModified(response, for: request) {
            return notModified
        }
        if let compression = variants.compression, Gzip.isAccepted(request.headers["Accept-Encoding"]) {
            return variants.gzip(response, maker, compression)
        }
        return variants.identity
    }

    private func variants(_ maker: ResponseEncoder) -> PreparedVariants {
        if let variants = first.load(), variants.maker == maker.identifier { return variants }
        let made = { [response, compression] in PreparedVariants(response, maker, compression) }
        if first.load() == nil {
            let stored = first.storeIfNil(made())
            if stored.maker == maker.identifier { return stored }
        }
        return others.withLock { others in
            if let variants = others[maker.identifier] { return variants }
            let variants = made()
            others[maker.identifier] = variants
            return variants
        }
    }
}

/// A prepared response as one server sends it.
final class PreparedVariants: Sendable {
    /// The server's `ResponseEncoder`.
    let maker: Int
    let identity: NativeResponse
    let notModified: NativeResponse?
    /// Nil for a response that is sent as it is.
    let compression: Compression?
    /// Made when the first client takes it.
    private let compressed = AtomicLazyReference<NativeResponse>()

    init(_ response: Response, _ maker: ResponseEncoder, _ compression: Compression) {
        self.maker = maker.identifier
        identity = maker.identity(response)
        notModified = response.etag == nil ? nil : maker.notModified(response)
        self.compression = ResponseEncoder.isCompressible(response) ? compression : nil
    }

    /// The plain variant if compressing does not pay.
    func gzip(_ response: Response, _ maker: ResponseEncoder, _ compression: Compression) -> NativeResponse {
        compressed.load() ?? compressed.storeIfNil(maker.gzip(response, compression) ?? identity)
    }
}
