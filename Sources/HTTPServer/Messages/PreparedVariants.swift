import Synchronization

/// A prepared response as one server sends it.
final class PreparedVariants: Sendable {
    /// The server's `ResponseEncoder`.
    let maker: Int
    let identity: NativeResponse
    let notModified: NativeResponse?
    let isCompressible: Bool
    /// Made when the first client takes it.
    private let compressed = AtomicLazyReference<NativeResponse>()

    init(_ response: Response, _ maker: ResponseEncoder, compress: Bool) {
        self.maker = maker.identifier
        identity = maker.identity(response)
        notModified = response.etag == nil ? nil : maker.notModified(response)
        isCompressible = compress && ResponseEncoder.isCompressible(response)
    }

    /// The plain variant if compressing does not pay.
    func gzip(_ response: Response, _ maker: ResponseEncoder) -> NativeResponse {
        compressed.load() ?? compressed.storeIfNil(maker.gzip(response, level: 6) ?? identity)
    }
}
