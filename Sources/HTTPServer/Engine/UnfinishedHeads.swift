import Glibc

/// The requests of the present thread whose headers libmicrohttpd has not handed over yet.
///
/// Its log messages name no connection. One of its threads serves a connection from the first byte to the last, so that
/// what a message is about is one of these.
final class UnfinishedHeads {
    private var exchanges: [Exchange] = []

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            // The +1 of `ofThisThread`, at the thread's end.
            if let pointer { Unmanaged<UnfinishedHeads>.fromOpaque(pointer).release() }
        }
        return key
    }()

    static var ofThisThread: UnfinishedHeads {
        if let pointer = pthread_getspecific(key) {
            return Unmanaged<UnfinishedHeads>.fromOpaque(pointer).takeUnretainedValue()
        }
        let heads = UnfinishedHeads()
        pthread_setspecific(key, Unmanaged.passRetained(heads).toOpaque())
        return heads
    }

    func add(_ exchange: Exchange) { exchanges.append(exchange) }

    func remove(_ exchange: Exchange) { exchanges.removeAll { $0 === exchange } }

    /// libmicrohttpd is about to answer one of them by itself.
    func refuseUnreadableLengths() {
        for exchange in exchanges { exchange.refuseUnreadableLength() }
    }
}
