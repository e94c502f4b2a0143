import CGnuTLS
public import FoundationEssentials
import Glibc

/// When a server's own certificate expires.
public struct CertificateExpiry: Sendable, Equatable {
    /// The number of days before the end from which an operator is warned: enough for a renewal that failed once to be
    /// noticed, and less than the 30 days before the end at which certificates are usually renewed.
    package static let warningDays = 21

    /// The end of the certificate's validity.
    public let date: Date

    package init(date: Date) { self.date = date }

    /// Reads the configured PEM file: the server's own certificate is the first one in it.
    public init(ofFile path: String) throws(TLSError) {
        try self.init(ofCertificate: PEMFile.text(path), name: path)
    }

    /// - Parameter name: the file's name, for errors
    init(ofCertificate text: String, name: String) throws(TLSError) {
        var list: UnsafeMutablePointer<gnutls_x509_crt_t?>?
        var count: UInt32 = 0
        let result = PEMFile.withDatum(text) {
            gnutls_x509_crt_list_import2(&list, &count, $0, GNUTLS_X509_FMT_PEM, 0)
        }
        guard result >= 0, count > 0, let list else { throw .noCertificate(name) }
        defer {
            for index in 0..<Int(count) { gnutls_x509_crt_deinit(list[index]) }
            gnutlsshim_free(list)
        }
        let end = gnutls_x509_crt_get_expiration_time(list[0])
        date = Date(timeIntervalSince1970: Double(end))
    }

    /// Whole days until the certificate expires, rounded down; negative once it has expired.
    public func daysLeft(at now: Date) -> Int {
        Int((date.timeIntervalSince(now) / 86_400).rounded(.down))
    }

    /// Returns true from the end of the certificate's validity.
    public func hasExpired(at now: Date) -> Bool { date <= now }

    /// Whether an operator should renew the certificate now.
    package func needsRenewal(at now: Date) -> Bool { daysLeft(at: now) < Self.warningDays }

    /// "expires in 5 days", for a sentence that begins with the certificate.
    package func phrase(at now: Date) -> String {
        if hasExpired(at: now) { return "has expired" }
        let days = daysLeft(at: now)
        return switch days {
        case 0: "expires in less than a day"
        case 1: "expires in 1 day"
        default: "expires in \(days) days"
        }
    }
}

/// Files of certificates and keys.
enum PEMFile {
    static func text(_ path: String) throws(TLSError) -> String {
        guard let file = fopen(path, "re") else {
            throw .unreadable(path, why: String(cString: strerror(errno)))
        }
        defer { fclose(file) }
        // Certificate chains take a few KB. The limit is there because a device has no end.
        var bytes = [UInt8](repeating: 0, count: 1_048_576)
        let count = fread(&bytes, 1, bytes.count, file)
        guard ferror(file) == 0 else { throw .unreadable(path, why: String(cString: strerror(errno))) }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    static func withDatum<Result>(_ text: String, _ body: (UnsafePointer<gnutls_datum_t>) -> Result) -> Result
    {
        var bytes = Array(text.utf8)
        return bytes.withUnsafeMutableBufferPointer { buffer in
            var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
            return withUnsafePointer(to: &datum, body)
        }
    }
}
