import Synchronization

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
