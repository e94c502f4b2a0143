import TestSupport
import Testing

@testable import RoostSupport

/// Lists of files that say less than they have.
@Suite struct ZipFileReaderTests {
    private static func number(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func mark(_ first: UInt8, _ second: UInt8) -> [UInt8] { [0x50, 0x4B, first, second] }

    /// An entry of a list without a name.
    private static func entry(extra: Int = 0) -> [UInt8] {
        [mark(1, 2), number(0, 26), number(extra, 2), number(0, 14), number(0, extra)].flatMap { $0 }
    }

    /// The end of a list at the beginning of the file.
    private static func end(entries: Int, length: Int) -> [UInt8] {
        [
            mark(5, 6), number(0, 4), number(entries, 2), number(entries, 2), number(length, 4), number(0, 6),
        ].flatMap { $0 }
    }

    /// Zip64's record of a list at the beginning of the file, and its locator.
    private static func zip64(entries: Int, length: Int, at offset: Int) -> [UInt8] {
        [
            mark(6, 6), number(44, 8), number(45, 2), number(45, 2), number(0, 8), number(entries, 8),
            number(entries, 8), number(length, 8), number(0, 8),
            mark(6, 7), number(0, 4), number(offset, 8), number(1, 4),
        ].flatMap { $0 }
    }

    /// Why the file can't be read.
    private func refusal(of bytes: [UInt8], entries: Int = 2) throws -> String? {
        let folder = try TemporaryFolder()
        try folder.write(bytes, to: "file.zip")
        var limits = ZipFileReader.Limits()
        limits.entries = entries
        do {
            _ = try ZipFileReader(path: folder.file("file.zip"), limits: limits)
            return nil
        } catch let error as ZipFileReader.ReadError {
            return error.why
        }
    }

    private static let tooMany = "The zip file has more than 2 files."
    private static let unreadable = "This isn’t a zip file, or it is cut off. Download it again."

    // The lists are broken after their third entry, so that libzip would call them unreadable.

    @Test func `entries are counted, whatever number the end declares`() throws {
        let list = (0..<3).flatMap { _ in Self.entry() } + Self.number(0, 46)
        let file = list + Self.end(entries: 1, length: list.count)
        #expect(try refusal(of: file) == Self.tooMany)
        #expect(try refusal(of: file, entries: 3) == Self.unreadable)
    }

    @Test func `Zip64's record is checked also if the end doesn't need it`() throws {
        let list = (0..<3).flatMap { _ in Self.entry() } + Self.number(0, 46)
        let end = Self.end(entries: 1, length: 46)
        let many = Self.zip64(entries: 1 << 40, length: list.count, at: list.count)
        #expect(try refusal(of: list + many + end) == Self.tooMany)
        let few = Self.zip64(entries: 1, length: list.count, at: list.count)
        #expect(try refusal(of: list + few + end) == Self.tooMany)
    }

    @Test func `a list of nothing but extra fields is refused`() throws {
        // Sixty thousand fields of no length each, in entries that libzip would accept.
        let list = (0..<20).flatMap { _ in Self.entry(extra: 60_000) }
        let file = list + Self.end(entries: 20, length: list.count)
        #expect(try refusal(of: file, entries: 100) == Self.unreadable)
    }

    @Test func `a zip file in a zip file is no obstacle`() throws {
        var inner = ZipWriter(at: TestClock.start)
        for name in ["a", "b", "c"] { inner.add([7], as: name) }
        var outer = ZipWriter(at: TestClock.start)
        outer.add(try inner.finish(), as: "inner.zip", isStored: true)
        #expect(try refusal(of: try outer.finish(), entries: 3) == nil)
    }
}
