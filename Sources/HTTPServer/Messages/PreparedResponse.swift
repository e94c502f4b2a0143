import Synchronization

/// A response for many requests, such as a page's last rendering or a static file.
///
/// Keeps libmicrohttpd's objects for the plain, the compressed and the 304 variant, so that answering copies nothing.
public final class PreparedResponse: Sendable {
    /// The response without compression.
    public let response: Response
    private let compression: Compression
    /// For the first server that uses it, nearly always the only one; read without a lock.
    private let first = AtomicLazyReference<PreparedVariants>()
    private let variantsByEncoder = Mutex<[Int: PreparedVariants]>([:])

    /// - Parameters:
    ///   - response: its body must be bytes or empty
    ///   - compression: how to compress it when a client first accepts gzip
    public init(_ response: Response, compression: Compression = .fast) {
        self.response = response
        self.compression = compression
    }

    /// The size of the body before compression.
    public var byteCount: Int { if case .bytes(let bytes) = response.body { bytes.count } else { 0 } }

    func reply(for request: Request, from encoder: ResponseEncoder) -> NativeResponse {
        let variants = variants(encoder)
        if let notModified = variants.notModified, ResponseEncoder.isNotModified(response, for: request) {
            return notModified
        }
        if let compression = variants.compression, Gzip.isAccepted(request.headers["Accept-Encoding"]) {
            return variants.gzip(response, encoder, compression)
        }
        return variants.identity
    }

    private func variants(_ encoder: ResponseEncoder) -> PreparedVariants {
        if let variants = first.load(), variants.encoderID == encoder.identifier { return variants }
        let makeVariants = { [response, compression] in PreparedVariants(response, encoder, compression) }
        if first.load() == nil {
            let stored = first.storeIfNil(makeVariants())
            if stored.encoderID == encoder.identifier { return stored }
        }
        return variantsByEncoder.withLock { variantsByEncoder in
            if let variants = variantsByEncoder[encoder.identifier] { return variants }
            let variants = makeVariants()
            variantsByEncoder[encoder.identifier] = variants
            return variants
        }
    }
}

final class PreparedVariants: Sendable {
    let encoderID: Int
    let identity: NativeResponse
    let notModified: NativeResponse?
    let compression: Compression?
    private let compressed = AtomicLazyReference<NativeResponse>()

    init(_ response: Response, _ encoder: ResponseEncoder, _ compression: Compression) {
        encoderID = encoder.identifier
        identity = encoder.identity(response)
        notModified = response.etag == nil ? nil : encoder.notModified(response)
        self.compression = ResponseEncoder.isCompressible(response) ? compression : nil
    }

    func gzip(_ response: Response, _ encoder: ResponseEncoder, _ compression: Compression) -> NativeResponse
    {
        compressed.load() ?? compressed.storeIfNil(encoder.gzip(response, compression) ?? identity)
    }
}
