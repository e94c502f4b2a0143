/// What a connection is doing, and until when it may: packed into one word so that libmicrohttpd's threads
/// write it and the watchdog reads it without a lock.
struct ConnectionPhase: Equatable {
    enum Kind: UInt64 {
        /// Accepted; nothing has come yet.
        case fresh
        /// Between two requests.
        case idle
        case receiving
        /// The server's turn: a handler runs, or a long poll waits.
        case waiting
        case sending
    }

    let word: UInt64

    init(word: UInt64) { self.word = word }

    /// `deadline` in milliseconds of `MonotonicTime`.
    init(_ kind: Kind, deadline: UInt64) { word = min(deadline, UInt64.max >> 3) << 3 | kind.rawValue }

    static let waiting = ConnectionPhase(.waiting, deadline: .max)

    var kind: Kind { Kind(rawValue: word & 7) ?? .waiting }
    var deadline: UInt64 { word >> 3 }
}
