import Dispatch
import Glibc
import Synchronization

/// Whether the data folder's disk takes more data, asked by reserving a little of it for a moment.
package final class StorageProbe: Sendable {
    /// The file's name inside the data folder, where it is for a moment.
    static let fileName = "storage-probe"
    /// Less than this left is called full, in bytes.
    private static let reserve = 262_144
    /// How long an answer holds, so that a flood of questions does not keep the disk busy.
    private static let lifetime = Duration.seconds(2)

    private let path: String
    /// Files are asked on a thread of our own: a disk may be slow.
    private let queue = DispatchQueue(label: "roost.storage", qos: .utility)
    private let last = Mutex<(isFull: Bool, at: ContinuousClock.Instant)?>(nil)

    package init(folder: String) {
        path = folder + "/" + Self.fileName
    }

    /// True while nothing can be saved: the disk is full, over a quota, or not to be written.
    package var isFull: Bool {
        get async {
            if let last = last.withLock({ $0 }), last.at.duration(to: .now) < Self.lifetime {
                return last.isFull
            }
            let path = path
            let isFull = await withCheckedContinuation { continuation in
                queue.async { continuation.resume(returning: !Self.takesMore(path)) }
            }
            last.withLock { $0 = (isFull, .now) }
            return isFull
        }
    }

    private static func takesMore(_ path: String) -> Bool {
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer {
            close(file)
            unlink(path)
        }
        return posix_fallocate(file, 0, reserve) == 0
    }
}
