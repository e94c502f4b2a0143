import CLibZip
package import Foundation
import TextFormats

/// Writes a zip file with its entries in the order of adding, all with the same time.
///
/// With libzip, because libarchive adds extra fields to every entry, which EPUB forbids for the first (OCF 3.3, section
/// 4.3).
package struct ZipWriter: Sendable {
    /// libzip has no memory, or a name was added twice.
    package struct WriteError: Error {}

    private struct Entry {
        let name: String
        let range: Range<Int>
        let isStored: Bool
    }

    /// Of all entries in one array, because libzip reads them when the file is finished.
    private var contents: [UInt8] = []
    private var entries: [Entry] = []
    private let time: UInt16
    private let date: UInt16

    package init(at now: Date) {
        let now = CivilDate(now)
        time = UInt16(now.hour << 11 | now.minute << 5 | now.second / 2)
        // MS-DOS years run from 1980 to 2107.
        date = UInt16(min(max(now.year - 1980, 0), 127) << 9 | now.month << 5 | now.day)
    }

    /// - Parameter isStored: true to skip compression, for compressed files and formats that require it
    package mutating func add(_ content: [UInt8], as name: String, isStored: Bool = false) {
        let start = contents.count
        contents += content
        entries.append(Entry(name: name, range: start..<contents.count, isStored: isStored))
    }

    package func finish() throws(WriteError) -> [UInt8] {
        guard let file = zip_source_buffer_create(nil, 0, 0, nil) else { throw WriteError() }
        defer { zip_source_free(file) }
        guard let archive = zip_open_from_source(file, ZIP_CREATE | ZIP_TRUNCATE, nil) else {
            throw WriteError()
        }
        // The archive frees its own reference when it is closed or discarded.
        zip_source_keep(file)
        let isWritten = contents.withUnsafeBytes { contents in
            entries.allSatisfy { add($0, UnsafeRawBufferPointer(rebasing: contents[$0.range]), to: archive) }
                && zip_close(archive) == 0
        }
        guard isWritten else {
            zip_discard(archive)
            throw WriteError()
        }
        return try Self.content(of: file)
    }

    private func add(_ entry: Entry, _ content: UnsafeRawBufferPointer, to archive: OpaquePointer) -> Bool {
        guard let source = zip_source_buffer(archive, content.baseAddress, UInt64(content.count), 0) else {
            return false
        }
        let index = zip_file_add(archive, entry.name, source, ZIP_FL_ENC_UTF_8)
        guard index >= 0 else {
            zip_source_free(source)
            return false
        }
        // The default stores content that deflating would not make shorter.
        let method = entry.isStored ? ZIP_CM_STORE : ZIP_CM_DEFAULT
        return zip_set_file_compression(archive, UInt64(index), method, 0) == 0
            && zip_file_set_dostime(archive, UInt64(index), time, date, 0) == 0
    }

    private static func content(of file: OpaquePointer) throws(WriteError) -> [UInt8] {
        var properties = zip_stat_t()
        guard zip_source_stat(file, &properties) == 0, zip_source_open(file) == 0 else { throw WriteError() }
        defer { zip_source_close(file) }
        let size = Int(properties.size)
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = max(0, Int(zip_source_read(file, buffer.baseAddress, properties.size)))
        }
        guard bytes.count == size else { throw WriteError() }
        return bytes
    }
}
