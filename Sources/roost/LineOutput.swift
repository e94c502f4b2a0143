import Foundation
import Synchronization

/// Writes whole lines to a file descriptor, buffered until `flush` if they are frequent.
final class LineOutput: Sendable {
    private let descriptor: Int32
    private let isBuffered: Bool
    private let isOwn: Bool
    private let buffer = Mutex<[UInt8]>([])

    /// Buffered bytes above which they are written immediately.
    private static let limit = 64 * 1_024

    /// - Parameter isOwn: whether the descriptor is closed with this object
    init(descriptor: Int32, isBuffered: Bool = false, isOwn: Bool = false) {
        self.descriptor = descriptor
        self.isBuffered = isBuffered
        self.isOwn = isOwn
    }

    deinit {
        flush()
        if isOwn { close(descriptor) }
    }

    /// Appends to a file with mode 0600. Fails when it cannot be opened.
    convenience init?(path: String) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        self.init(descriptor: descriptor, isBuffered: true, isOwn: true)
    }

    func write(_ line: String) {
        buffer.withLock { buffer in
            buffer.append(contentsOf: line.utf8)
            buffer.append(UInt8(ascii: "\n"))
            if !isBuffered || buffer.count > Self.limit { drain(&buffer) }
        }
    }

    func flush() {
        buffer.withLock { drain(&$0) }
    }

    /// Drops lines that cannot be written (full disk, closed pipe), because a log must not stop the program.
    private func drain(_ buffer: inout [UInt8]) {
        var sent = 0
        while sent < buffer.count {
            let count = buffer.withUnsafeBytes { bytes in
                Foundation.write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            sent += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
