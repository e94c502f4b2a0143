/// Why a certificate or its key cannot be used, in words for the operator; never a word of the key itself.
package enum TLSError: Error, Equatable, CustomStringConvertible {
    case unreadable(String, why: String)
    case noCertificate(String)
    case noKey(String)
    case lockedKey(String)
    case mismatch(certificate: String, key: String)
    case unusable(String, why: String)

    package var description: String {
        switch self {
        case .unreadable(let file, let why): "\(file) cannot be read: \(why)."
        case .noCertificate(let file): "\(file) holds no certificate in PEM form."
        case .noKey(let file): "\(file) holds no private key in PEM form."
        case .lockedKey(let file): "The key in \(file) has a password, which a server has nobody to ask for."
        case .mismatch(let certificate, let key):
            "The key in \(key) is not that of the certificate in \(certificate)."
        case .unusable(let file, let why): "The certificate in \(file) cannot be used: \(why)"
        }
    }
}
