import Foundation
import Synchronization
import TextFormats

/// A CSV file of mode 0600 with a line for each row of an import, and `more rows` at its end if it got too long.
package final class TransferReportFile: Sendable {
    private struct File {
        let handle: Int32
        var buffer: [UInt8]
        /// In bytes.
        var room: Int
    }

    private let file: Mutex<File>

    /// In bytes.
    private static let bufferSize = 65_536

    /// Fails if the file exists or can't be made.
    ///
    /// - Parameter maximumBytes: about how long the file may get
    package init?(path: String, maximumBytes: Int = .max) {
        let handle = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard handle >= 0 else { return nil }
        let names = CSV.line(["file", "line", "result", "reason"])
        file = Mutex(File(handle: handle, buffer: names, room: maximumBytes - names.count))
    }

    package func add(_ row: TransferReport.Row) {
        let line = CSV.line([row.file, "\(row.line)", row.result.kind.rawValue, row.result.why ?? ""])
        file.withLock { file in
            guard file.room > 0 else { return }
            file.room -= line.count
            file.buffer += file.room > 0 ? line : CSV.line(["more rows", "", "", ""])
            if file.buffer.count > Self.bufferSize { Self.flush(&file) }
        }
    }

    /// Writes the rest and closes the file. Call it once.
    ///
    /// - Returns: whether the file has all rows
    @discardableResult package func finish() -> Bool {
        file.withLock { file in
            Self.flush(&file)
            close(file.handle)
            return file.room > 0
        }
    }

    /// Drops what cannot be written: an import must not fail for its report.
    private static func flush(_ file: inout File) {
        var rest = file.buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file.handle, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                file.room = 0
                break
            }
            rest = rest.dropFirst(count)
        }
        file.buffer = []
    }
}
