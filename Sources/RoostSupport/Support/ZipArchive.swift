import CLibZip
import TextFormats

/// An uploaded zip file, which libzip reads in memory entry by entry.
///
/// Its declared sizes are not trusted: output is counted while it is inflated, with a limit for all entries together,
/// so that overlapping entries cannot exceed it.
package struct ZipArchive: ~Copyable {
    /// The maximum inflated sizes in bytes, and the number of entries.
    package struct Limits: Sendable {
        package var entries = 50_000
        var perEntry = 64 << 20
        package var total = 256 << 20

        package init() {}
    }

    /// The reason why the file cannot be read, with advice for the user.
    package struct ReadError: Error, Equatable {
        package let why: String
    }

    package struct Entry: Equatable, Sendable {
        fileprivate let index: UInt64
        /// With `/` between folders. Never used as a path on this machine.
        package let name: String

        package var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") }
        package var fileName: String { name.splitBytes(at: "/").last.map(String.init) ?? "" }
        /// True for an absolute path or one that leads out of the archive, which no honest program writes.
        package var isOutside: Bool {
            name.utf8.first == UInt8(ascii: "/") || name.containsBytes("\\") || name.containsBytes(":")
                || name.splitBytes(at: "/").contains("..")
        }
    }

    package let entries: [Entry]
    private let archive: OpaquePointer
    private let limits: Limits
    private var inflated = 0

    package static func isZip(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6])
    }

    /// Calls `body` with the archive, which is valid only during the call. Throws `ReadError` for a broken file.
    package static func read<Value>(
        _ bytes: [UInt8], limits: Limits = Limits(), _ body: (inout ZipArchive) throws -> Value
    ) throws -> Value {
        try bytes.withUnsafeBytes { buffer in
            var archive = try ZipArchive(buffer, limits)
            return try body(&archive)
        }
    }

    private init(_ bytes: UnsafeRawBufferPointer, _ limits: Limits) throws(ReadError) {
        try Self.check(bytes, limits)
        // 0: libzip does not free the bytes.
        guard let source = zip_source_buffer_create(bytes.baseAddress, UInt64(bytes.count), 0, nil) else {
            throw Self.unreadable
        }
        guard let archive = zip_open_from_source(source, ZIP_RDONLY, nil) else {
            zip_source_free(source)
            throw Self.unreadable
        }
        let count = zip_get_num_entries(archive, 0)
        guard count <= limits.entries else {
            zip_discard(archive)
            throw Self.tooMany(limits)
        }
        entries = (0..<UInt64(max(0, count))).map { index in
            // The bytes as they are: libzip would take names without a mark for code page 437.
            let name = zip_get_name(archive, index, ZIP_FL_ENC_RAW)
            return Entry(index: index, name: name.map { String(cString: $0) } ?? "")
        }
        self.archive = archive
        self.limits = limits
    }

    deinit { zip_discard(archive) }

    /// Bounds libzip's time and memory: it reads a list of files to its end before its length is known, and does so
    /// again for each record in the last 64 KB that could be the end of a list.
    private static func check(_ bytes: UnsafeRawBufferPointer, _ limits: Limits) throws(ReadError) {
        var (entries, ends) = (0, 0)
        let tail = bytes.count - 66_000
        for index in bytes.indices.dropLast(3) where bytes[index] == 0x50 && bytes[index + 1] == 0x4B {
            switch (bytes[index + 2], bytes[index + 3]) {
            case (1, 2): entries += 1
            case (5, 6) where index >= tail: ends += 1
            default: break
            }
        }
        guard entries <= limits.entries else { throw tooMany(limits) }
        guard ends <= 4 else { throw unreadable }
    }

    /// Inflates an entry. Throws `ReadError` if it is encrypted, broken or too large; check `isExhausted` to see if
    /// other entries can still be read.
    package mutating func read(_ entry: Entry) throws(ReadError) -> [UInt8] {
        guard !isExhausted else { throw Self.tooLarge }
        var properties = zip_stat_t()
        guard zip_stat_index(archive, entry.index, 0, &properties) == 0 else { throw Self.broken }
        guard Int32(properties.encryption_method) == ZIP_EM_NONE else {
            throw ReadError(why: "It has a password. Remove the password and import it again.")
        }
        guard [ZIP_CM_STORE, ZIP_CM_DEFLATE].contains(Int32(properties.comp_method)) else {
            throw ReadError(why: "Roost doesn’t support its compression. Zip it with the standard method.")
        }
        guard let file = zip_fopen_index(archive, entry.index, 0) else { throw Self.broken }
        defer { zip_fclose(file) }
        let room = min(limits.perEntry, limits.total - inflated)
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Int(zip_fread(file, &buffer, UInt64(buffer.count)))
            if count > 0 { content += buffer[..<count] }
            guard content.count <= room else {
                // Failed entries count, so that a hundred zip bombs take no more time than one.
                inflated = min(limits.total, inflated + limits.perEntry)
                throw Self.tooLarge
            }
            guard count <= 0 else { continue }
            // Broken entries count too, because they take as much time.
            inflated += content.count
            // Negative also for a wrong length or checksum.
            guard count == 0 else { throw Self.broken }
            return content
        }
    }

    /// True if the total limit is reached; no further entry can be read.
    var isExhausted: Bool { inflated >= limits.total }

    private static let tooLarge = ReadError(why: "It is too large when unpacked.")
    private static let broken = ReadError(why: "It is broken. Download the file again.")
    private static let unreadable = ReadError(
        why: "The zip file is broken: its list of files is missing or cut off. Download it again.")

    private static func tooMany(_ limits: Limits) -> ReadError {
        ReadError(why: "The zip file has more than \(limits.entries) files.")
    }
}
