import CLibZip
package import Foundation

/// Writes a zip file of any size to the disk, in constant memory apart from some 500 bytes for each entry.
///
/// libzip asks for the content of one entry after the other when the file is finished, and writes Zip64 where needed.
package final class ZipFileWriter {
    package struct WriteError: Error, Equatable {
        package let why: String
    }

    /// Begins an entry, and returns a function for its chunks, which returns nil at its end.
    package typealias Content = () throws -> () throws -> [UInt8]?

    private final class Source {
        let open: Content
        let time: time_t
        let failure: Failure
        var next: (() throws -> [UInt8]?)?
        var chunk: [UInt8] = []
        var offset = 0

        init(_ open: @escaping Content, time: time_t, failure: Failure) {
            self.open = open
            self.time = time
            self.failure = failure
        }

        func answer(
            _ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: UInt64
        ) -> Int64 {
            switch command {
            case ZIP_SOURCE_OPEN: return attempt { (next, chunk, offset) = (try open(), [], 0) } ? 0 : -1
            case ZIP_SOURCE_READ: return read(into: data, length)
            case ZIP_SOURCE_CLOSE:
                (next, chunk) = (nil, [])
                return 0
            case ZIP_SOURCE_STAT:
                guard let data, length >= UInt64(MemoryLayout<zip_stat_t>.size) else { return -1 }
                let properties = data.assumingMemoryBound(to: zip_stat_t.self)
                zip_stat_init(properties)
                properties.pointee.mtime = time
                properties.pointee.valid = UInt64(ZIP_STAT_MTIME)
                return Int64(MemoryLayout<zip_stat_t>.size)
            case ZIP_SOURCE_ERROR:
                let size = 2 * MemoryLayout<Int32>.size
                guard let data, length >= UInt64(size) else { return -1 }
                data.storeBytes(of: ZIP_ER_INTERNAL, as: Int32.self)
                data.storeBytes(of: 0, toByteOffset: MemoryLayout<Int32>.size, as: Int32.self)
                return Int64(size)
            default: return -1
            }
        }

        private func read(into data: UnsafeMutableRawPointer?, _ length: UInt64) -> Int64 {
            guard let data else { return -1 }
            while offset == chunk.count {
                var following: [UInt8]?
                guard attempt({ following = try next?() }) else { return -1 }
                guard let following else { return 0 }
                (chunk, offset) = (following, 0)
            }
            let count = min(Int(length), chunk.count - offset)
            let target = UnsafeMutableRawBufferPointer(start: data, count: count)
            target.copyBytes(from: chunk[offset..<(offset + count)])
            offset += count
            return Int64(count)
        }

        private func attempt(_ work: () throws -> Void) -> Bool {
            do {
                try work()
                return true
            } catch {
                failure.error = failure.error ?? error
                return false
            }
        }
    }

    /// The first error of an entry's content.
    private final class Failure {
        var error: (any Error)?
    }

    private let archive: OpaquePointer
    private let time: time_t
    private let failure = Failure()
    private var isOpen = true

    /// - Parameter path: an empty file, which is replaced; its mode is kept
    package init(path: String, at now: Date) throws {
        var code: Int32 = 0
        guard let archive = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code) else {
            throw WriteError(why: "The file \(path) could not be written.")
        }
        self.archive = archive
        time = time_t(now.timeIntervalSince1970)
    }

    deinit { if isOpen { zip_discard(archive) } }

    /// Adds an entry after the others. `content` is called by `finish`, on its thread.
    ///
    /// - Parameter isStored: true to skip compression, for pictures and the like
    package func add(_ name: String, isStored: Bool = false, content: @escaping Content) throws {
        // Released when libzip frees the source.
        let state = Unmanaged.passRetained(Source(content, time: time, failure: failure)).toOpaque()
        let source = zip_source_function_create(
            { state, data, length, command in
                guard let state else { return -1 }
                let source = Unmanaged<Source>.fromOpaque(state)
                if command == ZIP_SOURCE_FREE {
                    source.release()
                    return 0
                }
                if command == ZIP_SOURCE_SUPPORTS {
                    return [
                        ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
                        ZIP_SOURCE_FREE,
                    ].reduce(0) { $0 | 1 << Int64($1.rawValue) }
                }
                return source.takeUnretainedValue().answer(command, data, length)
            }, state, nil)
        guard let source else {
            Unmanaged<Source>.fromOpaque(state).release()
            throw WriteError(why: "There is not enough memory.")
        }
        let index = zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8)
        guard index >= 0 else {
            zip_source_free(source)
            throw WriteError(why: "The entry \(name) could not be added.")
        }
        let method = isStored ? ZIP_CM_STORE : ZIP_CM_DEFLATE
        guard zip_set_file_compression(archive, UInt64(index), method, 0) == 0 else {
            throw WriteError(why: "The entry \(name) could not be added.")
        }
    }

    /// Writes the file. Throws the first error of an entry's content, or `WriteError`, for instance for a full disk.
    package func finish() throws {
        guard zip_close(archive) != 0 else {
            isOpen = false
            return
        }
        if let error = failure.error { throw error }
        throw WriteError(
            why: "The file could not be written: \(String(cString: zip_strerror(archive))).")
    }
}
