import Dispatch
import Glibc
import Synchronization

/// Checks whether the data folder's disk accepts more data, by briefly reserving space for a file.
package final class StorageProbe: Sendable {
    static let fileName = "storage-probe"
    /// In bytes. The disk counts as full if less than this is free.
    private static let reserve = 262_144
    /// How long a result is reused, so that a flood of requests does not keep the disk busy.
    private static let lifetime = Duration.seconds(2)

    private let path: String
    private let queue = DispatchQueue(label: "roost.storage", qos: .utility)
    private let last = Mutex<(isFull: Bool, at: ContinuousClock.Instant)?>(nil)

    package init(folder: String) {
        path = folder + "/" + Self.fileName
    }

    /// True while nothing can be saved: the disk is full, over its quota or read-only.
    package var isFull: Bool {
        get async {
            if let last = last.withLock({ $0 }), last.at.duration(to: .now) < Self.lifetime {
                return last.isFull
            }
            let path = path
            let isFull = await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: !Self.isWritable(path)) }
            }
            last.withLock { $0 = (isFull, .now) }
            return isFull
        }
    }

    private static func isWritable(_ path: String) -> Bool {
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer {
            close(file)
            unlink(path)
        }
        return posix_fallocate(file, 0, reserve) == 0
    }
}
