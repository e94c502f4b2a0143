import Synchronization

/// How many connections each address holds, so that one neighbour cannot take them all.
final class ConnectionsPerClient: Sendable {
    /// 0 for none.
    private let limit: Int
    /// Connections beyond the limit that may be open to be told so.
    private let reserve: Int
    private let isExempt: @Sendable (PeerAddress) -> Bool
    private let counts = Mutex<[PeerAddress: Int]>([:])

    init(limit: Int, reserve: Int, isExempt: @escaping @Sendable (PeerAddress) -> Bool) {
        self.limit = limit
        self.reserve = reserve
        self.isExempt = isExempt
    }

    /// Far above the limit it is closed without a word: what waits to be refused must not fill the server.
    func accepts(_ peer: PeerAddress) -> Bool {
        !isCounted(peer) || counts.withLock { $0[peer] ?? 0 } < limit + reserve
    }

    /// False if this connection is one too many.
    func opened(_ peer: PeerAddress) -> Bool {
        guard isCounted(peer) else { return true }
        return counts.withLock { counts in
            let count = (counts[peer] ?? 0) + 1
            counts[peer] = count
            return count <= limit
        }
    }

    func closed(_ peer: PeerAddress) {
        guard isCounted(peer) else { return }
        counts.withLock { counts in
            let count = (counts[peer] ?? 0) - 1
            counts[peer] = count > 0 ? count : nil
        }
    }

    private func isCounted(_ peer: PeerAddress) -> Bool {
        limit > 0 && !isExempt(peer)
    }
}
