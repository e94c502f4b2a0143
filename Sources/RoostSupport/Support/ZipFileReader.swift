import CLibZip
import Foundation

/// Reads a zip file on the disk entry by entry. Its declared sizes are not trusted.
package final class ZipFileReader {
    package struct Limits: Sendable {
        package var entries = 500_000
        /// How many times larger than the file all that is read may be. Text shrinks to a tenth, at best to a hundredth;
        /// a zip bomb has a thousand.
        package var ratio = 200
        /// Always allowed, in bytes.
        package var total = 256 << 20
        /// Never allowed to be exceeded, in bytes.
        package var maximum = 64 << 30

        package init() {}
    }

    /// The reason why the file cannot be read, with advice for the user.
    package typealias ReadError = ZipArchive.ReadError

    private let archive: OpaquePointer
    private let check: () throws -> Void
    private var room: Int

    /// - Parameter check: called for every 64 KB that are read; an error ends the reading
    package init(
        path: String, limits: Limits = Limits(), check: @escaping () throws -> Void = {}
    ) throws {
        let size = try Self.check(path, limits)
        guard let archive = zip_open(path, ZIP_RDONLY, nil) else { throw Self.unreadable }
        guard zip_get_num_entries(archive, 0) <= limits.entries else {
            zip_discard(archive)
            throw Self.tooMany(limits)
        }
        self.archive = archive
        self.check = check
        let ratio = size.multipliedReportingOverflow(by: limits.ratio).partialValue
        room = min(limits.maximum, max(limits.total, ratio))
    }

    deinit { zip_discard(archive) }

    package func contains(_ name: String) -> Bool { index(of: name) != nil }

    private func index(of name: String) -> UInt64? {
        let index = zip_name_locate(archive, name, 0)
        return index < 0 ? nil : UInt64(index)
    }

    /// Returns an entry's content, or nil if there is no such entry. Throws `ReadError` if it is broken or has more than
    /// `maximumBytes`.
    package func content(of name: String, maximumBytes: Int) throws -> [UInt8]? {
        guard let stream = try stream(of: name) else { return nil }
        var content: [UInt8] = []
        while let chunk = try stream.next() {
            content += chunk
            guard content.count <= maximumBytes else { throw Self.tooLarge }
        }
        return content
    }

    /// Returns the lines of an entry, or nil if there is no such entry. Use one at a time.
    ///
    /// - Parameter maximumBytes: of a line
    package func lines(of name: String, maximumBytes: Int) throws -> Lines? {
        try stream(of: name).map { Lines($0, maximumBytes: maximumBytes) }
    }

    private func stream(of name: String) throws -> Stream? {
        guard let index = index(of: name) else { return nil }
        var properties = zip_stat_t()
        guard zip_stat_index(archive, index, 0, &properties) == 0 else { throw Self.broken }
        guard Int32(properties.encryption_method) == ZIP_EM_NONE else {
            throw ReadError(why: "It has a password. Remove the password and import it again.")
        }
        guard [ZIP_CM_STORE, ZIP_CM_DEFLATE].contains(Int32(properties.comp_method)) else {
            throw ReadError(why: "Roost doesn’t support its compression. Zip it with the standard method.")
        }
        guard let file = zip_fopen_index(archive, index, 0) else { throw Self.broken }
        return Stream(file, of: self)
    }

    fileprivate final class Stream {
        private let file: OpaquePointer
        private let reader: ZipFileReader
        private var buffer = [UInt8](repeating: 0, count: 65_536)

        fileprivate init(_ file: OpaquePointer, of reader: ZipFileReader) {
            self.file = file
            self.reader = reader
        }

        deinit { zip_fclose(file) }

        fileprivate func next() throws -> ArraySlice<UInt8>? {
            try reader.check()
            let count = Int(zip_fread(file, &buffer, UInt64(buffer.count)))
            // Negative also for a wrong length or checksum.
            guard count >= 0 else { throw ZipFileReader.broken }
            guard count > 0 else { return nil }
            reader.room -= count
            guard reader.room >= 0 else { throw ZipFileReader.tooLarge }
            return buffer[..<count]
        }
    }

    package final class Lines {
        private let stream: Stream
        private let maximumBytes: Int
        private var buffer: [UInt8] = []
        private var start = 0
        private var isAtEnd = false

        fileprivate init(_ stream: Stream, maximumBytes: Int) {
            self.stream = stream
            self.maximumBytes = maximumBytes
        }

        /// Returns the next line without its end, or nil. Throws `ReadError` if it has more than `maximumBytes`.
        package func next() throws -> [UInt8]? {
            var searched = start
            while true {
                let end = buffer[searched...].firstIndex(of: 0x0A)
                guard (end ?? buffer.count) - start <= maximumBytes else { throw ZipFileReader.tooLong }
                if let end {
                    defer { start = end + 1 }
                    return Array(buffer[start..<end])
                }
                if isAtEnd {
                    defer { start = buffer.count }
                    return start < buffer.count ? Array(buffer[start...]) : nil
                }
                // Keeps only the unread rest.
                buffer.removeFirst(start)
                start = 0
                searched = buffer.count
                if let chunk = try stream.next() { buffer += chunk } else { isAtEnd = true }
            }
        }
    }

    // MARK: Checks before libzip reads the file

    /// Bounds libzip's time and memory: it reads a list of files to its end before its length is known, and does so
    /// again for each record in the last 64 KB that could be the end of a list. Returns the file's size.
    private static func check(_ path: String, _ limits: Limits) throws -> Int {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw ReadError(why: "There is no such file, or Roost may not read it.")
        }
        defer { try? file.close() }
        let size = Int(try file.seekToEnd())
        let tail = try bytes(of: file, at: max(0, size - 66_000), 66_000)
        let ends = tail.indices.dropLast(21).filter { isMark(5, 6, at: $0, in: tail) }
        guard !ends.isEmpty, ends.count <= 4 else { throw unreadable }
        for end in ends {
            for list in try lists(endingAt: end, in: tail, of: file, size) {
                guard (0...limits.entries).contains(list.entries), (0...(256 << 20)).contains(list.length)
                else { throw tooMany(limits) }
                try check(list, of: file, size, limits)
            }
        }
        return size
    }

    /// A list of files as its end declares it.
    private struct List {
        let entries, length, offset: Int
    }

    /// The lists that libzip could read. It uses Zip64's record whenever its locator is right before the end; newer
    /// versions may use the end's own numbers, unless they say that they are too large.
    private static func lists(
        endingAt end: Int, in tail: [UInt8], of file: FileHandle, _ size: Int
    ) throws -> [List] {
        let list = List(
            entries: number(tail, end + 10, 2), length: number(tail, end + 12, 4),
            offset: number(tail, end + 16, 4))
        guard end >= 20, isMark(6, 7, at: end - 20, in: tail) else { return [list] }
        let isTooLarge = list.entries == 0xFFFF || list.length == 0xFFFF_FFFF || list.offset == 0xFFFF_FFFF
        let lists = isTooLarge ? [] : [list]
        let offset = number(tail, end - 20 + 8, 8)
        guard (0..<size).contains(offset) else { return lists }
        let record = try bytes(of: file, at: offset, 56)
        guard record.count == 56, isMark(6, 6, at: 0, in: record) else { return lists }
        return lists + [
            List(entries: number(record, 32, 8), length: number(record, 40, 8), offset: number(record, 48, 8))
        ]
    }

    /// Without Zip64 libzip reads on after the declared number of entries. Each extra field takes it some 50 bytes, and
    /// can have 4 in the file.
    private static func check(_ list: List, of file: FileHandle, _ size: Int, _ limits: Limits) throws {
        guard (0...size).contains(list.offset) else { return }
        let end = min(size, list.offset + list.length)
        var (position, entries, extra) = (list.offset, 0, 0)
        var (buffer, start): ([UInt8], Int) = ([], position)
        while position + 46 <= end {
            if position + 46 > start + buffer.count {
                (buffer, start) = (try bytes(of: file, at: position, 65_536), position)
            }
            let index = position - start
            guard index + 46 <= buffer.count, isMark(1, 2, at: index, in: buffer) else { return }
            entries += 1
            extra += number(buffer, index + 30, 2)
            guard entries <= limits.entries else { throw tooMany(limits) }
            guard extra <= (1 << 20) + 128 * entries else { throw unreadable }
            position += 46 + [28, 30, 32].reduce(0) { $0 + number(buffer, index + $1, 2) }
        }
    }

    /// Whether `PK` with these two bytes is at an index.
    private static func isMark(_ first: UInt8, _ second: UInt8, at index: Int, in bytes: [UInt8]) -> Bool {
        bytes[index] == 0x50 && bytes[index + 1] == 0x4B && bytes[index + 2] == first
            && bytes[index + 3] == second
    }

    private static func bytes(of file: FileHandle, at offset: Int, _ count: Int) throws -> [UInt8] {
        try file.seek(toOffset: UInt64(offset))
        return [UInt8](try file.read(upToCount: count) ?? Data())
    }

    /// A little-endian number; negative for one that is too large.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
        bytes[offset..<(offset + count)].reversed().reduce(0) { ($0 << 8) | Int($1) }
    }

    fileprivate static let tooLarge = ReadError(why: "It is too large when unpacked.")
    fileprivate static let tooLong = ReadError(why: "One of its lines is too long.")
    fileprivate static let broken = ReadError(why: "It is broken. Download the file again.")
    private static let unreadable = ReadError(
        why: "This isn’t a zip file, or it is cut off. Download it again.")

    private static func tooMany(_ limits: Limits) -> ReadError {
        ReadError(why: "The zip file has more than \(limits.entries) files.")
    }
}
