import Synchronization

/// A prepared response as one server sends it.
final class PreparedVariants: Sendable {
    /// The server's `ReplyMaker`.
    let maker: Int
    let identity: ReadyReply
    let notModified: ReadyReply?
    let isCompressible: Bool
    /// Made when the first client takes it.
    private let compressed = AtomicLazyReference<ReadyReply>()

    init(_ response: Response, _ maker: ReplyMaker, compress: Bool) {
        self.maker = maker.identifier
        identity = maker.identity(response)
        notModified = response.etag == nil ? nil : maker.notModified(response)
        isCompressible = compress && ReplyMaker.isCompressible(response)
    }

    /// The plain variant if compressing does not pay.
    func gzip(_ response: Response, _ maker: ReplyMaker) -> ReadyReply {
        compressed.load() ?? compressed.storeIfNil(maker.gzip(response, level: 6) ?? identity)
    }
}
