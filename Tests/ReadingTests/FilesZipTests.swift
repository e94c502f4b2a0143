import TestSupport
import Testing

@testable import Reading
@testable import RoostSupport

/// Zip files that are malicious or broken.
@Suite struct FilesZipTests {
    private static let csv = Array("url\nhttps://example.org/\n".utf8)

    private func zip(_ entries: [(String, [UInt8])], isStored: Bool = false) throws -> [UInt8] {
        var zip = ZipWriter(at: TestClock.start)
        for (name, bytes) in entries { zip.add(bytes, as: name, isStored: isStored) }
        return try zip.finish()
    }

    /// The lengths of the entries' contents, or why they cannot be read.
    private func results(
        _ bytes: [UInt8], _ limits: ZipArchive.Limits = .init()
    ) throws -> [Result<Int, ZipArchive.ReadError>] {
        try ZipArchive.read(bytes, limits: limits) { archive in
            var results: [Result<Int, ZipArchive.ReadError>] = []
            for entry in archive.entries {
                do throws(ZipArchive.ReadError) {
                    results.append(.success(try archive.read(entry).count))
                } catch {
                    results.append(.failure(error))
                }
            }
            return results
        }
    }

    private static let broken = ZipArchive.ReadError(why: "It is broken. Download the file again.")
    private static let tooLarge = ZipArchive.ReadError(why: "It is too large when unpacked.")

    private func faults(_ file: ArticleImportFile) -> [String] {
        file.entries.rows.compactMap { row in
            guard case .failure(let error) = row.content else { return nil }
            return row.part + ": " + error.message
        }
    }

    @Test(arguments: [true, false])
    func `a written zip file can be read back`(isStored: Bool) throws {
        let text = Array(String(repeating: "The same words. ", count: 500).utf8)
        let bytes = try zip([("a.txt", text), ("b/ü.txt", []), ("c", [7])], isStored: isStored)
        let (names, contents) = try ZipArchive.read(bytes) { archive in
            var contents: [[UInt8]] = []
            for entry in archive.entries { contents.append(try archive.read(entry)) }
            return (archive.entries.map(\.name), contents)
        }
        #expect(names == ["a.txt", "b/ü.txt", "c"])
        #expect(contents == [text, [], [7]])
    }

    @Test func `a file is not unpacked beyond its limit, whatever size it claims`() throws {
        var limits = ZipArchive.Limits()
        limits.perEntry = 1 << 20
        let bomb = try zip([("bomb.csv", [UInt8](repeating: 0x20, count: 3 << 20)), ("list.csv", Self.csv)])
        #expect(bomb.count < 20_000)
        let file = try ArticleImportFile(bomb, zipLimits: limits)
        #expect(faults(file) == ["bomb.csv: It is too large when unpacked."])
        #expect(file.entries.rows.count == 2)
    }

    @Test func `many files together are not unpacked beyond their limit`() throws {
        var limits = ZipArchive.Limits()
        limits.total = 2 << 20
        let large = [UInt8](repeating: 0x20, count: 1 << 20)
        let results = try results(try zip((1...4).map { ("\($0)", large) }), limits)
        let size = large.count
        #expect(
            results == [.success(size), .success(size), .failure(Self.tooLarge), .failure(Self.tooLarge)])
    }

    @Test func `too many files are refused`() throws {
        var limits = ZipArchive.Limits()
        limits.entries = 2
        let bytes = try zip([("1", [1]), ("2", [2]), ("3", [3])])
        #expect(throws: ZipArchive.ReadError.self) { try results(bytes, limits) }
    }

    @Test(arguments: ["../list.csv", "/etc/list.csv", "a/../../list.csv", "C:\\list.csv"])
    func `a path that leaves the zip file's folder is not read`(name: String) throws {
        let file = try ArticleImportFile(try zip([(name, Self.csv), ("good.csv", Self.csv)]))
        #expect(faults(file) == ["\(name): Skipped: its name points outside the zip file."])
        #expect(file.entries.rows.count == 2)
    }

    @Test func `a password-protected file is reported`() throws {
        var bytes = try zip([("list.csv", Self.csv)])
        let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2]))
        bytes[directory.lowerBound + 8] |= 1
        let file = try ArticleImportFile(bytes)
        #expect(faults(file) == ["list.csv: It has a password. Remove the password and import it again."])
    }

    @Test func `a file with a wrong checksum is reported as broken`() throws {
        var bytes = try zip([("list.csv", Self.csv)], isStored: true)
        let content = try #require(bytes.firstRange(of: Self.csv))
        bytes[content.lowerBound + 4] ^= 1
        #expect(faults(try ArticleImportFile(bytes)) == ["list.csv: It is broken. Download the file again."])
    }

    @Test(arguments: [4, 10, 40, 60, 80])
    func `a truncated zip file is refused`(length: Int) throws {
        let bytes = Array(try zip([("list.csv", Self.csv)]).prefix(length))
        #expect(throws: RoostError.self) { try ArticleImportFile(bytes) }
    }

    @Test func `changing any single byte of a zip file never crashes the reader`() throws {
        let bytes = try zip([("list.csv", Self.csv), ("b.json", Array("[]".utf8))])
        for index in bytes.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = bytes
                changed[index] = value
                _ = try? ArticleImportFile(changed)
            }
        }
    }

    @Test func `truncated entries count towards the limit like complete ones`() throws {
        var limits = ZipArchive.Limits()
        limits.total = 2 << 20
        let large = [UInt8](repeating: 0x20, count: 1 << 20)
        var bytes = try zip((1...4).map { ("\($0)", large) })
        var offset = 0
        while let entry = bytes[offset...].firstRange(of: [0x50, 0x4B, 1, 2]) {
            let size = entry.lowerBound + 20
            let shorter = Int(bytes[size]) + Int(bytes[size + 1]) << 8 - 4
            (bytes[size], bytes[size + 1]) = (UInt8(shorter & 0xFF), UInt8(shorter >> 8))
            offset = entry.upperBound
        }
        let expected = [Self.broken, Self.broken, Self.tooLarge, Self.tooLarge]
        #expect(try results(bytes, limits) == expected.map { .failure($0) })
    }

    @Test func `entries that share their content count towards the limit one by one`() throws {
        var limits = ZipArchive.Limits()
        limits.total = 3 << 19
        var bytes = try zip([("1", [UInt8](repeating: 0x20, count: 1 << 20)), ("2", [])])
        let first = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound
        let second = try #require(bytes[(first + 4)...].firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound
        // Method, checksum and sizes, then the offset.
        bytes.replaceSubrange((second + 10)..<(second + 28), with: bytes[(first + 10)..<(first + 28)])
        bytes.replaceSubrange((second + 42)..<(second + 46), with: [0, 0, 0, 0])
        #expect(try results(bytes, limits) == [.success(1 << 20), .failure(Self.tooLarge)])
    }

    @Test func `a zip file with many ends of its list is refused before they are all read`() throws {
        let bytes = try zip([("list.csv", Self.csv)])
        #expect(try results(bytes + bytes.suffix(22)).count == 1)
        let ends = [[UInt8]](repeating: bytes.suffix(22), count: 2_000).joined()
        #expect(throws: ZipArchive.ReadError.self) { try results(bytes + ends) }
    }

    @Test func `a zip file in the format for large ones is read`() throws {
        let bytes = try zip([("list.csv", Self.csv)])
        func number(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        let end = bytes.count - 22
        let start = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2])).lowerBound
        // APPNOTE.TXT, sections 4.3.14 to 4.3.16.
        var large = bytes[..<end] + [0x50, 0x4B, 6, 6] + number(44, 8) + number(45, 2) + number(45, 2)
        large += number(0, 8) + number(1, 8) + number(1, 8) + number(end - start, 8) + number(start, 8)
        large += [0x50, 0x4B, 6, 7] + number(0, 4) + number(end, 8) + number(1, 4)
        large += [0x50, 0x4B, 5, 6] + number(0, 4) + [UInt8](repeating: 0xFF, count: 12) + number(0, 2)
        #expect(try ArticleImportFile(Array(large)).entries.rows.count == 1)
    }

    @Test func `an article's highlights are read up to their limit`() throws {
        let entry = #"{"url":"https://example.org/","highlights":[{"quote":"words"}]}"#
        let list = "[" + [String](repeating: entry, count: 3_000).joined(separator: ",") + "]"
        let file = try ArticleImportFile(
            try zip([("pocket/part.csv", Self.csv), ("pocket/annotations/part.json", Array(list.utf8))]))
        let counts = file.entries.rows.compactMap { try? $0.content.get().highlights.count }
        #expect(counts == [1_000])
    }

    @Test func `endlessly nested folders are handled within seconds`() throws {
        let (open, link) = ("<DL>", "<A HREF=\"https://example.org/\">x</A>")
        let text =
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>" + String(repeating: open, count: 200_000)
            + String(repeating: link, count: 20_000)
        let start = ContinuousClock.now
        let file = try ArticleImportFile(Array(text.utf8))
        #expect(file.entries.rows.count == 20_000)
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test func `a text file longer than any article is skipped`() throws {
        let list = #"[{"slug":"one","title":"One","url":"https://example.org/one"}]"#
        let long = [UInt8](repeating: 0x61, count: 9 << 20)
        let file = try ArticleImportFile(try zip([("a.json", Array(list.utf8)), ("content/one.html", long)]))
        #expect(faults(file) == ["content/one.html: Skipped: this text is longer than 8 MB."])
        #expect(try file.entries.rows.first?.content.get().content == nil)
    }
}
