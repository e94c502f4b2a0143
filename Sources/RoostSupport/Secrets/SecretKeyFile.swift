import Crypto
import Foundation
import Glibc

/// The file with the sealing key: 32 random bytes as base64, and a newline.
struct SecretKeyFile: Sendable {
    static let name = DataFolder.secretKeyName
    private static let keyLength = 32
    private static let maximumBytes = 1_024

    let path: String
    var groupMayRead = false

    func read() throws -> SymmetricKey? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure("cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw failure("is not a file")
        }
        guard status.st_mode & (groupMayRead ? 0o007 : 0o077) == 0 else {
            throw failure("can be read by other users (run chmod 600 \(path))")
        }
        guard let key = Self.key(in: try bytes(of: file)) else {
            throw failure(
                "is broken: it should hold 32 bytes in base64. Put the right one back from your backup")
        }
        return key
    }

    /// Creates the file atomically. If another process has created it first, returns that key.
    func make() throws -> SymmetricKey {
        let key = SymmetricKey(size: .bits256)
        let draft = path + "." + Secret.make(bytes: 9)
        defer { unlink(draft) }
        let text = key.withUnsafeBytes { Data($0) }.base64EncodedString() + "\n"
        guard write(text, to: draft), link(draft, path) == 0 || errno == EEXIST else {
            throw failure("cannot be made: \(String(cString: strerror(errno)))")
        }
        syncFolder()
        guard let stored = try read() else { throw failure("cannot be made") }
        return stored
    }

    private func bytes(of file: Int32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0 else { throw failure("cannot be read: \(String(cString: strerror(errno)))") }
        return Array(bytes.prefix(count))
    }

    private static func key(in bytes: [UInt8]) -> SymmetricKey? {
        guard let text = String(bytes: bytes, encoding: .utf8), let key = Data(base64Encoded: text.trimmed),
            key.count == keyLength
        else { return nil }
        return SymmetricKey(data: key)
    }

    /// Returns false with `errno` set.
    private func write(_ text: String, to path: String) -> Bool {
        let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer {
            let reason = errno
            close(file)
            errno = reason
        }
        let bytes = Array(text.utf8)
        FolderOwner.give(file, in: (path as NSString).deletingLastPathComponent)
        // The umask may have removed the owner's permissions too.
        return fchmod(file, 0o600) == 0 && Glibc.write(file, bytes, bytes.count) == bytes.count
            && fsync(file) == 0
    }

    /// Makes the new file survive a power cut, together with everything sealed with its key.
    private func syncFolder() {
        let folder = Glibc.open(
            (path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func failure(_ what: String) -> RoostError { .unavailable("The key file \(path) \(what).") }
}
