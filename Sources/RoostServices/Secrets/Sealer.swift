package import Crypto
import Foundation

/// Encrypts secrets for the disk with AES-GCM, under a key that lies outside the database.
package struct Sealer: Sendable {
    /// In front of what is sealed: another algorithm would take another number.
    private static let version: UInt8 = 1
    private static let purpose = Data("roost: sealed secrets".utf8)

    /// Derived, so that the key file may serve other purposes too.
    private let key: SymmetricKey

    /// - Parameter key: 32 random bytes.
    package init(key: SymmetricKey) {
        self.key = HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Self.purpose, outputByteCount: 32)
    }

    /// Takes the key from `secret.key`: among systemd's credentials if it is there, else in the data folder,
    /// where it is made when there is none.
    ///
    /// Throws `RoostError.unavailable` in words, for a file that others may read as well; it is never
    /// overwritten.
    package static func load(folder: String, environment: [String: String]) throws -> Sealer {
        if let credentials = environment["CREDENTIALS_DIRECTORY"], !credentials.isEmpty {
            // systemd lets the service read by an access list, which shows as the group's right.
            let file = SecretKeyFile(path: credentials + "/" + SecretKeyFile.name, groupMayRead: true)
            if let key = try file.read() { return Sealer(key: key) }
        }
        let file = SecretKeyFile(path: folder + "/" + SecretKeyFile.name)
        if let key = try file.read() { return Sealer(key: key) }
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return Sealer(key: try file.make())
    }

    /// A version byte, the nonce, the text and the tag.
    ///
    /// - Parameter context: What the secret is and whose; it opens with the same context only.
    package func seal(_ secret: String, as context: String) throws -> [UInt8] {
        let box = try AES.GCM.seal(Array(secret.utf8), using: key, authenticating: Self.bound(context))
        // Nil only for nonces of unusual length.
        guard let combined = box.combined else { throw Self.unreadable }
        return [Self.version] + combined
    }

    /// Throws `RoostError.unavailable` for another key, another context and anything that was changed.
    package func open(_ sealed: [UInt8], as context: String) throws -> String {
        guard sealed.first == Self.version, let box = try? AES.GCM.SealedBox(combined: sealed.dropFirst()),
            let opened = try? AES.GCM.open(box, using: key, authenticating: Self.bound(context)),
            let secret = String(bytes: opened, encoding: .utf8)
        else { throw Self.unreadable }
        return secret
    }

    private static func bound(_ context: String) -> [UInt8] { [version] + Array(context.utf8) }

    private static let unreadable = RoostError.unavailable(
        "A stored secret cannot be opened: it was sealed with another secret.key, or was changed.")
}
