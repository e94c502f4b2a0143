import CGnuTLS
import FoundationEssentials
import Glibc

/// A server's certificate and key, checked to fit together.
public struct TLSIdentity: Sendable {
    /// PEM: the server's own certificate first, then the intermediate ones.
    public let certificate: String
    /// PEM, without a password.
    let key: String
    let credentials: TLSCredentials
    /// When the server's own certificate expires.
    public let expiry: CertificateExpiry
    /// One sentence for each problem that does not prevent the start.
    public private(set) var warnings: [String]

    /// Reads PEM files.
    ///
    /// Throws `TLSError`, which names the file and what is wrong with it.
    ///
    /// - Parameters:
    ///   - certificate: the path of the certificate, followed by the intermediate ones
    ///   - key: the path of its key, without a password
    public static func load(certificate: String, key: String) throws(TLSError) -> TLSIdentity {
        var identity = try TLSIdentity(
            certificate: try PEMFile.text(certificate), key: try PEMFile.text(key), names: (certificate, key))
        var status = stat()
        if stat(key, &status) == 0, status.st_mode & S_IROTH != 0 {
            identity.warnings.append(
                "Everyone on this machine can read the key in \(key). Run: chmod 600 \(key)")
        }
        return identity
    }

    /// Takes the text of PEM files.
    ///
    /// - Parameter names: what errors and warnings call the two
    public init(certificate: String, key: String, names: (certificate: String, key: String)) throws(TLSError)
    {
        self.certificate = certificate
        self.key = key
        expiry = try CertificateExpiry(ofCertificate: certificate, name: names.certificate)
        warnings = Self.warnings(expiry, names.certificate)
        try Self.check(key: key, names.key)
        credentials = try TLSCredentials(certificate: certificate, key: key, names: names)
    }

    private static func warnings(_ expiry: CertificateExpiry, _ name: String) -> [String] {
        let now = Date()
        return expiry.needsRenewal(at: now) ? ["The certificate in \(name) \(expiry.phrase(at: now))."] : []
    }

    private static func check(key text: String, _ name: String) throws(TLSError) {
        var key: gnutls_x509_privkey_t?
        guard gnutls_x509_privkey_init(&key) == 0, let key else { return }
        defer { gnutls_x509_privkey_deinit(key) }
        let result = PEMFile.withDatum(text) {
            gnutls_x509_privkey_import2(key, $0, GNUTLS_X509_FMT_PEM, nil, 0)
        }
        if result == GNUTLS_E_DECRYPTION_FAILED || text.utf8.contains("ENCRYPTED".utf8) {
            throw .encryptedKey(name)
        }
        if result < 0 { throw .noKey(name) }
    }
}

/// A certificate and its key as GnuTLS needs them for new connections. Each connection keeps those that it began with.
///
/// `@unchecked Sendable` is safe: GnuTLS only reads credentials after `init`, and its manual lets several threads' sessions
/// share them. Each connection retains those that it uses (`test_operating.py` exchanges them under an open connection).
final class TLSCredentials: @unchecked Sendable {
    private let pointer: gnutls_certificate_credentials_t

    init(certificate: String, key: String, names: (certificate: String, key: String)) throws(TLSError) {
        var credentials: gnutls_certificate_credentials_t?
        let status = gnutls_certificate_allocate_credentials(&credentials)
        guard status == 0, let credentials else {
            throw .unusable(names.certificate, why: Self.message(status))
        }
        pointer = credentials
        let result = PEMFile.withDatum(certificate) { certificate in
            PEMFile.withDatum(key) {
                gnutls_certificate_set_x509_key_mem(credentials, certificate, $0, GNUTLS_X509_FMT_PEM)
            }
        }
        if result == GNUTLS_E_CERTIFICATE_KEY_MISMATCH {
            throw .mismatch(certificate: names.certificate, key: names.key)
        }
        if result < 0 { throw .unusable(names.certificate, why: Self.message(result)) }
    }

    deinit { gnutls_certificate_free_credentials(pointer) }

    /// Makes a session use these credentials. Call it before the handshake.
    ///
    /// - Parameter session: GnuTLS' session
    func use(in session: UnsafeMutableRawPointer) {
        gnutls_credentials_set(
            OpaquePointer(session), GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(pointer))
    }

    private static func message(_ code: Int32) -> String {
        gnutls_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

/// The reason why a certificate or key cannot be used, for the operator. Never contains a part of the key.
public enum TLSError: Error, Equatable, CustomStringConvertible {
    case unreadable(String, why: String)
    case noCertificate(String)
    case noKey(String)
    case encryptedKey(String)
    case mismatch(certificate: String, key: String)
    case unusable(String, why: String)

    /// A sentence for the operator.
    public var description: String {
        switch self {
        case .unreadable(let file, let why): "\(file) cannot be read: \(why)."
        case .noCertificate(let file): "\(file) doesn't contain a PEM certificate."
        case .noKey(let file): "\(file) doesn't contain a PEM private key."
        case .encryptedKey(let file): "The key in \(file) has a password. Use a key without one."
        case .mismatch(let certificate, let key):
            "The key in \(key) doesn't match the certificate in \(certificate)."
        case .unusable(let file, let why): "The certificate in \(file) cannot be used: \(why)"
        }
    }
}
