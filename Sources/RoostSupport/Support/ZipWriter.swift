import CZlib
package import Foundation
import TextFormats

/// Writes a zip file: entries in the order in which they are added, with the time of its making.
package struct ZipWriter: Sendable {
    private struct Entry {
        let name: [UInt8]
        let method: UInt16
        let checksum: UInt32
        let compressed: Int
        let size: Int
        let offset: Int
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private let time: UInt16
    private let date: UInt16

    package init(at now: Date) {
        let now = CivilDate(now)
        time = UInt16(now.hour << 11 | now.minute << 5 | now.second / 2)
        // MS-DOS counts from 1980 to 2107.
        date = UInt16(min(max(now.year - 1980, 0), 127) << 9 | now.month << 5 | now.day)
    }

    /// - Parameter isStored: as it is: what must be so, and what is compressed already
    package mutating func add(_ content: [UInt8], as name: String, isStored: Bool = false) {
        let packed = isStored ? nil : Self.deflated(content)
        let entry = Entry(
            name: Array(name.utf8), method: packed == nil ? 0 : 8, checksum: ZipArchive.checksum(of: content),
            compressed: packed?.count ?? content.count, size: content.count, offset: bytes.count)
        put(0x0403_4B50, 4)
        head(of: entry)
        bytes += entry.name
        bytes += packed ?? content
        entries.append(entry)
    }

    /// The whole file; nothing is added afterwards.
    package mutating func finish() -> [UInt8] {
        let start = bytes.count
        for entry in entries {
            put(0x0201_4B50, 4)
            put(20, 2)
            head(of: entry)
            // No remark, one disk, no attributes.
            put(0, 2)
            put(0, 2)
            put(0, 2)
            put(0, 4)
            put(entry.offset, 4)
            bytes += entry.name
        }
        let length = bytes.count - start
        put(0x0605_4B50, 4)
        put(0, 4)
        put(entries.count, 2)
        put(entries.count, 2)
        put(length, 4)
        put(start, 4)
        put(0, 2)
        return bytes
    }

    /// What stands alike before a file and in the list of files.
    private mutating func head(of entry: Entry) {
        put(20, 2)
        // Names in UTF-8.
        put(entry.name.allSatisfy { $0 < 0x80 } ? 0 : 1 << 11, 2)
        put(Int(entry.method), 2)
        put(Int(time), 2)
        put(Int(date), 2)
        put(Int(entry.checksum), 4)
        put(entry.compressed, 4)
        put(entry.size, 4)
        put(entry.name.count, 2)
        put(0, 2)
    }

    private mutating func put(_ number: Int, _ count: Int) {
        for place in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }

    /// Nil if zlib has no memory, and where it would be no less.
    private static func deflated(_ content: [UInt8]) -> [UInt8]? {
        // zlib looks whether its state lies where it lay: `&` of a variable need not.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard
            deflateInit2_(
                stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(stream) }
        var output = [UInt8](repeating: 0, count: content.count)
        let result = content.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                // zlib reads through this pointer and never writes: its declaration is older than const.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                stream.pointee.avail_in = UInt32(input.count)
                stream.pointee.next_out = output.baseAddress
                stream.pointee.avail_out = UInt32(output.count)
                return deflate(stream, Z_FINISH)
            }
        }
        let count = Int(stream.pointee.total_out)
        guard result == Z_STREAM_END, count < content.count else { return nil }
        output.removeLast(output.count - count)
        return output
    }
}
