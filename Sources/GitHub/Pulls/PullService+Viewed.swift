package import Foundation
package import RoostSupport

/// What a user has seen of a pull request: files marked as viewed, and the time of the last look.
extension PullService {
    /// Bytes of a file's path.
    private static let maximumPath = 4_096

    /// Returns the paths of files that the user marked as viewed, with the SHA of the blob at the time of the mark. A
    /// file that has another blob now counts as not viewed.
    package func viewedFiles(
        _ reads: Reads, of key: PullKey, for user: UserID
    ) throws -> [String: String] {
        let files = try reads.viewedPullFiles(of: key, of: user)
        return Dictionary(files.map { ($0.path, $0.blob) }) { _, last in last }
    }

    /// Marks a file as viewed, or removes the mark.
    ///
    /// Throws `RoostError.invalid(field: "path" or "blob")`, and `.notFound` if no account of the user sees the pull
    /// request.
    package func setViewed(
        _ isViewed: Bool, path: String, blob: String, of key: PullKey, for user: UserID
    ) async throws {
        guard isStorable(key), account(for: key, of: user) != nil else {
            throw RoostError.notFound("This pull request does not exist, or you have no access to it.")
        }
        try Self.check(path: path, blob: blob)
        let file = ViewedPullFile(key: key, path: path, blob: blob, viewedAt: clock.now())
        try await database.write { [self] writes in
            if isViewed {
                try writes.putViewedPullFile(file, of: user)
            } else {
                try writes.removeViewedPullFile(path, of: key, of: user)
            }
            writes.publish(topic(of: key, for: user))
        }
    }

    /// The time of the user's last look before the present one, or nil if there was none.
    ///
    /// It stays the same when the page is opened again within 10 minutes, so that what is new stays marked as new.
    package func lastSeenAt(_ reads: Reads, of key: PullKey, for user: UserID) throws -> Date? {
        try reads.pullLook(of: key, of: user)?.before(clock.now())
    }

    /// Remembers that the user is looking at the pull request. Does nothing if none of their accounts sees it.
    package func markSeen(_ key: PullKey, for user: UserID) async throws {
        guard isStorable(key), account(for: key, of: user) != nil else { return }
        let now = clock.now()
        let look = try await database.read { try $0.pullLook(of: key, of: user) }
        // Most calls change nothing, and need not wait for the disk.
        if let look, look.seen(at: now) == nil { return }
        try await database.write { writes in
            let look = try writes.pullLook(of: key, of: user)
            guard let new = look.map({ $0.seen(at: now) }) ?? PullLook(of: key, at: now) else { return }
            try writes.putPullLook(new, of: user)
        }
    }

    static func check(path: String, blob: String) throws {
        guard (1...maximumPath).contains(path.utf8.count), !path.utf8.contains(0) else {
            throw RoostError.invalid(field: "path", why: "This is not a file of a pull request.")
        }
        guard PullText.sha(blob) != nil else {
            throw RoostError.invalid(field: "blob", why: "This is not a version of a file.")
        }
    }

    func isStorable(_ key: PullKey) -> Bool {
        key.isPossible && (1...255).contains(key.host.utf8.count) && !key.host.utf8.contains(0)
    }
}
