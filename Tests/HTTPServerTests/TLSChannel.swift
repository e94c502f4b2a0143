import CGnuTLS
import Glibc

/// TLS over a client's blocking socket. It trusts only the tests' authority and checks the name.
///
/// Unchecked, because a client is used by one thread at a time.
final class TLSChannel: @unchecked Sendable {
    private var session: gnutls_session_t?
    private var credentials: gnutls_certificate_credentials_t?
    private var isReady = false
    /// GnuTLS keeps the pointer.
    private let name = strdup("localhost")

    static let standardVersions = "NORMAL"

    init(socket: Int32, authority: String, versions: String) throws {
        gnutls_certificate_allocate_credentials(&credentials)
        gnutls_certificate_set_x509_trust_file(credentials, authority, GNUTLS_X509_FMT_PEM)
        gnutls_init(&session, UInt32(GNUTLS_CLIENT | GNUTLS_NO_SIGNAL))
        gnutls_priority_set_direct(session, versions, nil)
        gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
        gnutls_session_set_verify_cert(session, name, 0)
        gnutls_transport_set_int2(session, socket, socket)
    }

    /// Sends the closing alert. Call it before the socket is closed: afterwards its number may be another's.
    func end() {
        if isReady { gnutls_bye(session, GNUTLS_SHUT_WR) }
        isReady = false
    }

    deinit {
        gnutls_deinit(session)
        gnutls_certificate_free_credentials(credentials)
        free(name)
    }

    func send(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        try shakeHands()
        return try count(gnutls_record_send(session, bytes.baseAddress, bytes.count))
    }

    func receive(_ bytes: UnsafeMutableRawBufferPointer) throws -> Int {
        try shakeHands()
        while true {
            let count = gnutls_record_recv(session, bytes.baseAddress, bytes.count)
            // A new session ticket, for example, contains no data: continue reading.
            if count == GNUTLS_E_AGAIN, errno != EAGAIN { continue }
            if count == GNUTLS_E_PREMATURE_TERMINATION { return 0 }
            return try self.count(count)
        }
    }

    /// Announces that nothing more is sent.
    func finish() throws {
        try shakeHands()
        gnutls_bye(session, GNUTLS_SHUT_WR)
    }

    /// The negotiated version, such as "TLS1.3".
    var version: String {
        get throws {
            try shakeHands()
            return String(cString: gnutls_protocol_get_name(gnutls_protocol_get_version(session)))
        }
    }

    private func shakeHands() throws {
        guard !isReady else { return }
        let result = gnutls_handshake(session)
        guard result == 0 else { throw Self.failure(Int(result)) }
        isReady = true
    }

    private func count(_ result: Int) throws -> Int {
        guard result >= 0 else { throw Self.failure(result) }
        return result
    }

    private static func failure(_ code: Int) -> RawClient.Failure {
        switch Int32(code) {
        case GNUTLS_E_AGAIN: .timeout
        case GNUTLS_E_PULL_ERROR, GNUTLS_E_PUSH_ERROR: .reset
        case GNUTLS_E_PREMATURE_TERMINATION: .closed
        default: .garbled(gnutls_strerror(Int32(code)).map { String(cString: $0) } ?? "\(code)")
        }
    }
}
