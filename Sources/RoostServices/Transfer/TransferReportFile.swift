import Foundation
import Synchronization
import TextFormats

/// A CSV file of mode 0600 with a line for each row of an import.
package final class TransferReportFile: Sendable {
    private let file: Mutex<(handle: Int32, buffer: [UInt8])>

    /// In bytes.
    private static let bufferSize = 65_536

    /// Fails if the file exists or can't be made.
    package init?(path: String) {
        let handle = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard handle >= 0 else { return nil }
        file = Mutex((handle, CSV.line(["file", "line", "result", "reason"])))
    }

    package func add(_ row: TransferReport.Row) {
        let line = CSV.line([row.file, "\(row.line)", row.result.kind.rawValue, row.result.why ?? ""])
        file.withLock { file in
            file.buffer += line
            if file.buffer.count > Self.bufferSize { Self.flush(&file) }
        }
    }

    /// Writes the rest and closes the file. Call it once.
    package func finish() {
        file.withLock { file in
            Self.flush(&file)
            close(file.handle)
        }
    }

    /// Drops what cannot be written: an import must not fail for its report.
    private static func flush(_ file: inout (handle: Int32, buffer: [UInt8])) {
        var rest = file.buffer[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file.handle, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        file.buffer = []
    }
}
