package import Crypto
import Foundation

/// Encrypts secrets for the disk with AES-GCM, under a key that lies outside the database.
package struct Sealer: Sendable {
    /// In front of what is sealed: another algorithm would take another number.
    private static let version: UInt8 = 1
    private static let purpose = Data("roost: sealed secrets".utf8)

    /// Derived, so that the key file may serve other purposes too.
    private let key: SymmetricKey
    /// False where the key is of this process alone: nothing may be sealed with it.
    private let mayUse: Bool
    /// The file that the key was read from; empty where it was in none.
    let path: String

    /// - Parameter key: 32 random bytes.
    package init(key: SymmetricKey, path: String = "") {
        self.key = HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Self.purpose, outputByteCount: 32)
        self.path = path
        mayUse = true
    }

    private init() { (key, path, mayUse) = (SymmetricKey(size: .bits256), "", false) }

    /// Seals and opens nothing: where the right key is missing, sealing with another one would mix two keys.
    package static let withoutKey = Sealer()

    /// Takes the key from where `find` finds it, or makes one in the data folder.
    ///
    /// Throws `RoostError.unavailable` in words, for a file that others may read as well; it is never
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

    /// Takes the key from the named file, else from `secret.key` among systemd's credentials, else in the data folder. Nil
    /// where there is none.
    ///
    /// Throws `RoostError.unavailable` in words for a named file that is missing, and as `load`.
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
            // systemd lets the service read by an access list, which shows as the group's right.
            files.insert(
                SecretKeyFile(path: credentials + "/" + SecretKeyFile.name, groupMayRead: true), at: 0)
        }
        for file in files {
            if let key = try file.read() { return Sealer(key: key, path: file.path) }
        }
        return nil
    }

    /// Identifies the key without revealing anything of it.
    var fingerprint: [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array("roost: fingerprint".utf8), using: key))
    }

    /// A version byte, the nonce, the text and the tag.
    ///
    /// - Parameter context: What the secret is and whose; it opens with the same context only.
    package func seal(_ secret: String, as context: String) throws -> [UInt8] {
        guard mayUse else { throw Self.isWithoutKey }
        let box = try AES.GCM.seal(Array(secret.utf8), using: key, authenticating: Self.bound(context))
        // Nil only for nonces of unusual length.
        guard let combined = box.combined else { throw Self.unreadable }
        return [Self.version] + combined
    }

    /// Throws `RoostError.unavailable` for another key, another context and anything that was changed.
    package func open(_ sealed: [UInt8], as context: String) throws -> String {
        guard mayUse else { throw Self.isWithoutKey }
        guard sealed.first == Self.version, let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Self.bound(context)),
            let secret = String(bytes: opened, encoding: .utf8)
        else { throw Self.unreadable }
        return secret
    }

    /// Seals numbers under a key of its own for each purpose, which outlives a restart.
    package func numbers(for purpose: String) -> NumberSealer {
        let key: SymmetricKey? = key
        // Without one, what is sealed lasts for this run.
        guard let key else { return NumberSealer() }
        return NumberSealer(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key, info: Data("roost: numbers: \(purpose)".utf8), outputByteCount: 32))
    }

    private static func bound(_ context: String) -> [UInt8] { [version] + Array(context.utf8) }

    /// What readers see while the right key is missing; the log has the details.
    package static let isWithoutKey = RoostError.unavailable(
        "Roost runs without the secret key that its stored secrets were sealed with. Your administrator can fix this."
    )

    private static let unreadable = RoostError.unavailable(
        "A stored secret cannot be opened: it was sealed with another secret.key, or was changed.")
}
