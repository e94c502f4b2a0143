package import Crypto
import Foundation

/// Encrypts secrets with AES-GCM, under a key that is not in the database.
package struct Sealer: Sendable {
    /// The first byte of sealed values, to tell algorithms apart.
    private static let version: UInt8 = 1
    private static let purpose = Data("roost: sealed secrets".utf8)

    /// Derived, so that the key file can serve other purposes too.
    private let key: SymmetricKey
    private let hasKey: Bool
    let path: String

    /// - Parameter key: 32 random bytes
    package init(key: SymmetricKey, path: String = "") {
        self.key = HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Self.purpose, outputByteCount: 32)
        self.path = path
        hasKey = true
    }

    private init() { (key, path, hasKey) = (SymmetricKey(size: .bits256), "", false) }

    /// Throws on every use. If the right key is missing, sealing with another one would mix two keys.
    package static let withoutKey = Sealer()

    /// Returns the key from `find`, or creates one in the data folder.
    ///
    /// Throws `RoostError.unavailable` for a key file that other users may read or that is broken; such a file is never
    /// overwritten.
    package static func load(folder: String, environment: [String: String], keyFile: String? = nil) throws
        -> Sealer
    {
        if let found = try find(folder: folder, environment: environment, keyFile: keyFile) { return found }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let file = SecretKeyFile(path: folder + "/" + SecretKeyFile.name)
        return Sealer(key: try file.make(), path: file.path)
    }

    /// Reads the key from the named file, else from `secret.key` among systemd's credentials or in the data folder.
    /// Returns nil without one.
    ///
    /// Throws `RoostError.unavailable` if the named file is missing, and like `load`.
    package static func find(folder: String, environment: [String: String], keyFile: String? = nil) throws
        -> Sealer?
    {
        if let keyFile {
            let file = SecretKeyFile(path: keyFile, groupMayRead: true)
            guard let key = try file.read() else {
                throw RoostError.unavailable("The key file \(keyFile) does not exist.")
            }
            return Sealer(key: key, path: keyFile)
        }
        var files = [SecretKeyFile(path: folder + "/" + SecretKeyFile.name)]
        if let credentials = environment["CREDENTIALS_DIRECTORY"], !credentials.isEmpty {
            // systemd grants the service access by an access list, which appears as a group permission.
            files.insert(
                SecretKeyFile(path: credentials + "/" + SecretKeyFile.name, groupMayRead: true), at: 0)
        }
        for file in files {
            if let key = try file.read() { return Sealer(key: key, path: file.path) }
        }
        return nil
    }

    var fingerprint: [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("roost: fingerprint".utf8), using: key))
    }

    /// Returns a version byte, the nonce, the ciphertext and the tag.
    ///
    /// - Parameter context: the kind of secret and its owner; `open` needs the same context
    package func seal(_ secret: String, as context: String) throws -> [UInt8] {
        guard hasKey else { throw Self.missingKey }
        let box = try AES.GCM.seal(Array(secret.utf8), using: key, authenticating: Self.bound(context))
        // Nil only for nonces of unusual length.
        guard let combined = box.combined else { throw Self.unreadable }
        return [Self.version] + combined
    }

    /// Throws `RoostError.unavailable` if the key or context differs, or the value was changed.
    package func open(_ sealed: [UInt8], as context: String) throws -> String {
        guard hasKey else { throw Self.missingKey }
        guard sealed.first == Self.version, let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Self.bound(context)),
            let secret = String(bytes: opened, encoding: .utf8)
        else { throw Self.unreadable }
        return secret
    }

    /// Returns a sealer for numbers, with a derived key for each purpose that stays the same after a restart.
    package func numbers(for purpose: String) -> NumberSealer {
        let key: SymmetricKey? = key
        guard let key else { return NumberSealer() }
        return NumberSealer(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("roost: numbers: \(purpose)".utf8), outputByteCount: 32))
    }

    private static func bound(_ context: String) -> [UInt8] { [version] + Array(context.utf8) }

    package static let missingKey = RoostError.unavailable(
        "Roost runs without the secret key for its stored secrets. Your administrator can fix this."
    )

    private static let unreadable = RoostError.unavailable(
        "A stored secret cannot be decrypted: it was encrypted with another secret.key, or was changed.")
}
