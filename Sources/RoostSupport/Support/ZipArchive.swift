import CZlib

/// A zip file as somebody uploads it (APPNOTE.TXT, PKWARE 6.3.10), read entry by entry and never written to the disk.
///
/// What it says of itself is believed nowhere: sizes are counted while a file is inflated, and all that is inflated
/// together has a limit, so that files which lie over one another cannot become more than it.
package struct ZipArchive {
    /// How much may become of a zip file, in bytes.
    package struct Limits: Sendable {
        package var entries = 50_000
        var ofOneEntry = 64 << 20
        package var together = 256 << 20

        package init() {}
    }

    /// Why there is nothing to read, in words that say what to do.
    package struct ReadError: Error, Equatable {
        package let why: String
    }

    package struct Entry: Equatable, Sendable {
        /// With `/` between folders; a name alone, which is never used as a path on this machine.
        package let name: String
        fileprivate let flags: UInt16
        fileprivate let method: UInt16
        fileprivate let checksum: UInt32
        fileprivate let compressed: Int
        fileprivate let offset: Int

        /// Whether it is a folder.
        package var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") }
        /// Its name without its folders.
        package var fileName: String { name.splitBytes(at: "/").last.map(String.init) ?? "" }
        /// Absolute, or leads out of the archive: what no honest program writes.
        package var isOutside: Bool {
            name.utf8.first == UInt8(ascii: "/") || name.containsBytes("\\") || name.containsBytes(":")
                || name.splitBytes(at: "/").contains("..")
        }
    }

    package let entries: [Entry]
    private let bytes: [UInt8]
    private let limits: Limits
    private var inflated = 0

    package static func isZip(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6])
    }

    /// Reads the list of entries. Throws `ReadError`.
    package init(_ bytes: [UInt8], limits: Limits = Limits()) throws(ReadError) {
        self.bytes = bytes
        self.limits = limits
        guard let end = Self.endOfDirectory(in: bytes) else {
            throw ReadError(why: "The zip file is broken: its list of files is missing. Download it again.")
        }
        let (count, start) = (Int(bytes.two(end + 10)), Int(bytes.four(end + 16)))
        guard count != 0xFFFF, start != 0xFFFF_FFFF else {
            throw ReadError(why: "The zip file is too large for Roost: unpack it, and import its files.")
        }
        guard count <= limits.entries else {
            throw ReadError(why: "The zip file has more than \(limits.entries) files.")
        }
        var (entries, place) = ([Entry](), start)
        for _ in 0..<count {
            guard let (entry, next) = Self.entry(in: bytes, at: place) else {
                throw ReadError(
                    why: "The zip file is broken: its list of files breaks off. Download it again.")
            }
            entries.append(entry)
            place = next
        }
        self.entries = entries
    }

    /// The end record lies within the last 64 KiB, behind it a remark alone.
    private static func endOfDirectory(in bytes: [UInt8]) -> Int? {
        guard bytes.count >= 22 else { return nil }
        let first = max(0, bytes.count - 22 - 0xFFFF)
        return (first...(bytes.count - 22)).last { bytes.four($0) == 0x0605_4B50 }
    }

    private static func entry(in bytes: [UInt8], at place: Int) -> (Entry, next: Int)? {
        guard place >= 0, place + 46 <= bytes.count, bytes.four(place) == 0x0201_4B50 else { return nil }
        let nameEnd = place + 46 + Int(bytes.two(place + 28))
        let next = nameEnd + Int(bytes.two(place + 30)) + Int(bytes.two(place + 32))
        guard next <= bytes.count else { return nil }
        let entry = Entry(
            name: String(decoding: bytes[(place + 46)..<nameEnd], as: UTF8.self),
            flags: bytes.two(place + 8), method: bytes.two(place + 10), checksum: bytes.four(place + 16),
            compressed: Int(bytes.four(place + 20)), offset: Int(bytes.four(place + 42)))
        return (entry, next)
    }

    /// What is in one of the files. Throws `ReadError` for one that is encrypted, broken or too large; `isExhausted` says
    /// whether anything else may still be read.
    package mutating func read(_ entry: Entry) throws(ReadError) -> [UInt8] {
        guard !isExhausted else { throw Self.tooLarge }
        guard entry.flags & 1 == 0 else {
            throw ReadError(why: "It is locked with a password: unlock it, and import it again.")
        }
        let start = entry.offset
        guard start + 30 <= bytes.count, bytes.four(start) == 0x0403_4B50 else { throw Self.broken }
        let from = start + 30 + Int(bytes.two(start + 26)) + Int(bytes.two(start + 28))
        let end = from + entry.compressed
        guard end <= bytes.count else { throw Self.broken }
        let room = min(limits.ofOneEntry, limits.together - inflated)
        let content: [UInt8]
        switch entry.method {
        case 0:
            guard entry.compressed <= room else { throw exhaust() }
            content = Array(bytes[from..<end])
        case 8:
            let (found, isWhole) = try Self.inflated(bytes[from..<end], atMost: room)
            guard found.count <= room else { throw exhaust() }
            guard isWhole else {
                // It took as long as one that is whole.
                inflated += found.count
                throw Self.broken
            }
            content = found
        default:
            throw ReadError(why: "It is packed in a way that Roost does not know: zip it in the usual way.")
        }
        inflated += content.count
        guard Self.checksum(of: content) == entry.checksum else { throw Self.broken }
        return content
    }

    /// Nothing more is read: together the files are too large.
    var isExhausted: Bool { inflated >= limits.together }

    private mutating func exhaust() -> ReadError {
        // Whatever was tried counts: a hundred bombs take no more time than one.
        inflated = min(limits.together, inflated + limits.ofOneEntry)
        return Self.tooLarge
    }

    private static let tooLarge = ReadError(why: "It becomes too large when it is unpacked.")
    private static let broken = ReadError(why: "It is broken. Download the file again.")

    /// More than `maximum` where there is more of it.
    private static func inflated(
        _ bytes: ArraySlice<UInt8>, atMost maximum: Int
    ) throws(ReadError) -> (content: [UInt8], isWhole: Bool) {
        // zlib looks whether its state lies where it lay: `&` of a variable need not.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        // Minus: as a zip file has it, without zlib's own head and checksum.
        guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { throw Self.broken }
        defer { inflateEnd(stream) }
        var output: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        var result = Z_OK
        bytes.withUnsafeBufferPointer { input in
            // zlib reads through this pointer and never writes: its declaration is older than const.
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            // What breaks off ends with Z_BUF_ERROR: nothing more comes of it.
            while result == Z_OK, output.count <= maximum {
                let count = piece.withUnsafeMutableBufferPointer { piece in
                    stream.pointee.next_out = piece.baseAddress
                    stream.pointee.avail_out = UInt32(piece.count)
                    result = inflate(stream, Z_NO_FLUSH)
                    return piece.count - Int(stream.pointee.avail_out)
                }
                output += piece[..<count]
            }
        }
        return (output, result == Z_STREAM_END)
    }

    /// CRC-32, as zip files have it.
    static func checksum(of bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer {
            UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32($0.count)))
        }
    }
}

extension [UInt8] {
    fileprivate func two(_ place: Int) -> UInt16 { UInt16(self[place]) | UInt16(self[place + 1]) << 8 }

    fileprivate func four(_ place: Int) -> UInt32 { UInt32(two(place)) | UInt32(two(place + 2)) << 16 }
}
