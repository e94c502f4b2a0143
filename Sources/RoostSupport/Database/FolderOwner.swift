import Foundation
package import Glibc

/// Gives files that root creates in a data folder to the folder's owner, who could not open them otherwise.
package enum FolderOwner {
    /// Creates a missing folder with mode 0700, owned by the owner of its nearest existing parent.
    package static func makeFolder(_ folder: String) throws {
        var missing: [String] = []
        var path = URL(fileURLWithPath: folder).path
        while path != "/", access(path, F_OK) != 0, errno == ENOENT {
            missing.append(path)
            path = (path as NSString).deletingLastPathComponent
        }
        guard !missing.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw RoostError.unavailable(
                "The data folder \(folder) cannot be made: \(error.localizedDescription)")
        }
        for created in missing.reversed() { give(created) }
    }

    /// Gives an open file to the owner of the folder. Does nothing unless run by root; other users own it already.
    static func give(_ file: Int32, in folder: String) {
        var status = stat()
        guard geteuid() == 0, stat(folder, &status) == 0 else { return }
        _ = fchown(file, status.st_uid, status.st_gid)
    }

    /// Gives a new file or folder to the owner of its parent folder; does not follow a symbolic link.
    static func give(_ path: String) {
        guard geteuid() == 0 else { return }
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        give(file, in: (path as NSString).deletingLastPathComponent)
    }

    /// Throws `RoostError.unavailable` if this user may not open the folder or its database.
    package static func checkAccess(to folder: String, file: String) throws {
        for (path, rights) in [(folder, R_OK | W_OK | X_OK), (file, R_OK | W_OK)] {
            guard access(path, rights) != 0, errno == EACCES else { continue }
            guard let owner = owner(of: path), owner != geteuid() else {
                throw RoostError.unavailable("\(path) cannot be used: its permissions forbid it.")
            }
            let name = name(of: owner)
            throw RoostError.unavailable(
                path == folder
                    ? "The data folder \(folder) belongs to \(name). Run this as that user: sudo -u \(name) ..."
                    : "\(path) belongs to \(name). Give it to the user that runs Roost: sudo chown \(self.name(of: geteuid())) \(path)"
            )
        }
    }

    private static func owner(of path: String) -> uid_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }

    /// The user's name, or "#1000" without one.
    package static func name(of user: uid_t) -> String {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 4_096)
        guard getpwuid_r(user, &entry, &buffer, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return "#\(user)" }
        return String(cString: name)
    }
}
