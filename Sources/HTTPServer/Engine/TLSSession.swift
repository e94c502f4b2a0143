import CGnuTLS

/// libmicrohttpd's GnuTLS session of one connection, lent for the length of a callback.
struct TLSSession {
    private let pointer: gnutls_session_t

    /// What a client may leave unread at its end: a closing alert is a record of 5 bytes and at most this with them in
    /// any cipher suite (RFC 8446 section 5.2, RFC 5246 section 6.2.3).
    static let maximumFarewell = 128

    init(_ session: UnsafeMutableRawPointer) { pointer = gnutls_session_t(session) }

    /// True if all of it went to the socket, without waiting.
    func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { gnutls_record_send(pointer, $0.baseAddress, $0.count) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// Says that nothing more is sent.
    func endSending() { _ = gnutls_bye(pointer, GNUTLS_SHUT_WR) }
}
