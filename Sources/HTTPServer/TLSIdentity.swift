import CGnuTLS
import FoundationEssentials
import Glibc

package struct TLSIdentity: Sendable {
    /// PEM: the server's own certificate first, then the intermediate ones.
    package let certificate: String
    /// PEM, without a password.
    let key: String
    /// One sentence for each problem that does not prevent the start.
    package private(set) var warnings: [String]

    package static func load(certificate: String, key: String) throws(TLSError) -> TLSIdentity {
        var identity = try TLSIdentity(
            certificate: try read(certificate), key: try read(key), names: (certificate, key))
        var status = stat()
        if stat(key, &status) == 0, status.st_mode & S_IROTH != 0 {
            identity.warnings.append(
                "Everyone on this machine can read the key in \(key). Run: chmod 600 \(key)")
        }
        return identity
    }

    package init(certificate: String, key: String, names: (certificate: String, key: String)) throws(TLSError)
    {
        self.certificate = certificate
        self.key = key
        warnings = try Self.warnings(ofCertificate: certificate, names.certificate)
        try Self.check(key: key, names.key)
        var credentials: gnutls_certificate_credentials_t?
        guard gnutls_certificate_allocate_credentials(&credentials) == 0, let credentials else { return }
        defer { gnutls_certificate_free_credentials(credentials) }
        let result = withDatum(certificate) { certificate in
            withDatum(key) {
                gnutls_certificate_set_x509_key_mem(credentials, certificate, $0, GNUTLS_X509_FMT_PEM)
            }
        }
        if result == GNUTLS_E_CERTIFICATE_KEY_MISMATCH {
            throw .mismatch(certificate: names.certificate, key: names.key)
        }
        if result < 0 { throw .unusable(names.certificate, why: Self.message(result)) }
    }

    private static func read(_ path: String) throws(TLSError) -> String {
        guard let file = fopen(path, "re") else {
            throw .unreadable(path, why: String(cString: strerror(errno)))
        }
        defer { fclose(file) }
        // Certificate chains take a few KB. The limit is for devices, which never end.
        var bytes = [UInt8](repeating: 0, count: 1_048_576)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw .unreadable(path, why: String(cString: strerror(errno))) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    private static func warnings(ofCertificate text: String, _ name: String) throws(TLSError) -> [String] {
        var list: UnsafeMutablePointer<gnutls_x509_crt_t?>?
        var count: UInt32 = 0
        let result = withDatum(text) {
            gnutls_x509_crt_list_import2(&list, &count, $0, GNUTLS_X509_FMT_PEM, 0)
        }
        guard result >= 0, count > 0, let list else { throw .noCertificate(name) }
        defer {
            for index in 0..<Int(count) { gnutls_x509_crt_deinit(list[index]) }
            gnutlsshim_free(list)
        }
        let end = gnutls_x509_crt_get_expiration_time(list[0])
        let days = (end - time(nil)) / 86_400
        if end <= time(nil) { return ["The certificate in \(name) has expired."] }
        return days < 14
            ? ["The certificate in \(name) expires in \(days == 1 ? "1 day" : "\(days) days")."] : []
    }

    private static func check(key text: String, _ name: String) throws(TLSError) {
        var key: gnutls_x509_privkey_t?
        guard gnutls_x509_privkey_init(&key) == 0, let key else { return }
        defer { gnutls_x509_privkey_deinit(key) }
        let result = withDatum(text) { gnutls_x509_privkey_import2(key, $0, GNUTLS_X509_FMT_PEM, nil, 0) }
        if result == GNUTLS_E_DECRYPTION_FAILED || text.utf8.contains("ENCRYPTED".utf8) {
            throw .encryptedKey(name)
        }
        if result < 0 { throw .noKey(name) }
    }

    private static func message(_ code: Int32) -> String {
        gnutls_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

private func withDatum<Result>(_ text: String, _ body: (UnsafePointer<gnutls_datum_t>) -> Result) -> Result {
    var bytes = Array(text.utf8)
    return bytes.withUnsafeMutableBufferPointer { buffer in
        var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
        return withUnsafePointer(to: &datum, body)
    }
}

/// The reason why a certificate or key cannot be used, for the operator. Never contains a part of the key.
package enum TLSError: Error, Equatable, CustomStringConvertible {
    case unreadable(String, why: String)
    case noCertificate(String)
    case noKey(String)
    case encryptedKey(String)
    case mismatch(certificate: String, key: String)
    case unusable(String, why: String)

    package var description: String {
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
