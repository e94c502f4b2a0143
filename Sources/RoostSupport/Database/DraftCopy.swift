import Foundation
import GRDB
import Glibc

/// A copy of a database, or another file, that gets its name only once it is complete and checked. A killed process
/// leaves at most a file whose name ends in ".part".
package struct DraftCopy {
    /// Where the copy is written.
    package let file: String
    private let path: String

    /// Creates an empty draft with mode 0600, next to `path`.
    ///
    /// - Throws: `RoostError.conflict` if there is a file at `path`
    package init(of path: String) throws {
        self.path = path
        file = "\(path).\(UUID().uuidString.prefix(8)).part"
        guard !FileManager.default.fileExists(atPath: path) else { throw conflict }
        try Database.makeFile(at: file)
    }

    private var conflict: RoostError {
        .conflict(field: "file", why: "There is already a file at \(path).")
    }

    /// Copies an open database, while others write to it.
    ///
    /// - Parameter isCancelled: asked a few times each second
    func fill(from source: DatabasePool, isCancelled: @escaping () -> Bool = { false }) throws {
        try fill { destination in
            // In one transaction, so that all steps see the same moment.
            try source.backup(to: destination, pagesPerStep: 10_000) { _ in
                if isCancelled() { throw CancellationError() }
            }
        }
    }

    /// Copies the closed or open database at a path, with the changes in its log.
    func fill(fromFileAt source: String) throws {
        guard FileManager.default.fileExists(atPath: LogMark.path(ofDatabaseAt: source)) else {
            return try fill(fromBytesAt: source)
        }
        let queue = try DatabaseQueue(path: source)
        let copy = Result { try fill { try queue.backup(to: $0) } }
        try queue.close()
        try copy.get()
    }

    private func fill(_ copy: (DatabaseQueue) throws -> Void) throws {
        let destination = try DatabaseQueue(path: file)
        let copied = Result { try copy(destination) }
        let closing = Result { try destination.close() }
        try copied.get()
        try closing.get()
    }

    /// Without a log no program is writing the file. Copying its bytes needs no access to its folder.
    private func fill(fromBytesAt source: String) throws {
        do {
            let input = try FileHandle(forReadingFrom: URL(filePath: source))
            let output = try FileHandle(forWritingTo: URL(filePath: file))
            while let bytes = try input.read(upToCount: 1 << 20), !bytes.isEmpty {
                try output.write(contentsOf: bytes)
            }
            try output.synchronize()
            try output.close()
            try input.close()
        } catch {
            throw RoostError.unavailable("\(source) cannot be copied: \(error.localizedDescription)")
        }
    }

    /// Gives the copy its name. Never replaces a file.
    package func publish() throws {
        // Unlike rename, link never replaces a file that was created in the meantime. Some file systems have no links.
        if link(file, path) != 0 {
            guard errno != EEXIST else { throw conflict }
            guard rename(file, path) == 0 else {
                throw RoostError.unavailable(
                    "The copy cannot be named \(path): \(String(cString: strerror(errno))).")
            }
        }
        Self.synchronize((path as NSString).deletingLastPathComponent)
    }

    /// Makes names survive a power cut. A file system that cannot do this is used as it is.
    static func synchronize(_ folder: String) {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Removes what is left of the draft.
    package func discard() {
        for suffix in ["", "-journal", "-wal", "-shm"] { unlink(file + suffix) }
    }
}
