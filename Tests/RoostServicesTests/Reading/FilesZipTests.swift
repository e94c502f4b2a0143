import Testing

@testable import Reading
@testable import RoostSupport

/// Zip files that are made to harm, or are broken.
@Suite struct FilesZipTests {
    private static let csv = Array("url\nhttps://example.org/\n".utf8)

    private func zip(_ entries: [(String, [UInt8])], isStored: Bool = false) -> [UInt8] {
        var zip = ZipWriter(at: TestClock.start)
        for (name, bytes) in entries { zip.add(bytes, as: name, isStored: isStored) }
        return zip.finish()
    }

    private func faults(_ file: ArticleImportFile) -> [String] {
        file.rows.compactMap { row in
            guard case .failure(let fault) = row.content else { return nil }
            return row.part + ": " + fault.why
        }
    }

    @Test(arguments: [true, false])
    func `what is written is read again`(isStored: Bool) throws {
        let text = Array(String(repeating: "The same words. ", count: 500).utf8)
        var archive = try ZipArchive(zip([("a.txt", text), ("b/ü.txt", []), ("c", [7])], isStored: isStored))
        #expect(archive.entries.map(\.name) == ["a.txt", "b/ü.txt", "c"])
        let contents = try archive.entries.map { try archive.read($0) }
        #expect(contents == [text, [], [7]])
    }

    @Test func `a file becomes no larger than it may, whatever it says of its size`() throws {
        var limits = ZipArchive.Limits()
        limits.ofOneEntry = 1 << 20
        let bomb = zip([("bomb.csv", [UInt8](repeating: 0x20, count: 3 << 20)), ("list.csv", Self.csv)])
        #expect(bomb.count < 20_000)
        let file = try ArticleImportFile(bomb, zipLimits: limits)
        #expect(faults(file) == ["bomb.csv: It becomes too large when it is unpacked."])
        #expect(file.rows.count == 2)
    }

    @Test func `many files together become no larger than they may`() throws {
        var limits = ZipArchive.Limits()
        limits.together = 2 << 20
        let large = [UInt8](repeating: 0x20, count: 1 << 20)
        var archive = try ZipArchive(zip((1...4).map { ("\($0)", large) }), limits: limits)
        var count = 0
        for entry in archive.entries where (try? archive.read(entry)) != nil { count += 1 }
        #expect(count == 2)
    }

    @Test func `too many files are refused`() {
        var limits = ZipArchive.Limits()
        limits.entries = 2
        let bytes = zip([("1", [1]), ("2", [2]), ("3", [3])])
        #expect(throws: ZipArchive.ReadError.self) { try ZipArchive(bytes, limits: limits) }
    }

    @Test(arguments: ["../list.csv", "/etc/list.csv", "a/../../list.csv", "C:\\list.csv"])
    func `a name that leads out of the zip file is not read`(name: String) throws {
        let file = try ArticleImportFile(zip([(name, Self.csv), ("good.csv", Self.csv)]))
        #expect(faults(file) == ["\(name): Its name leads out of the zip file: it is not read."])
        #expect(file.rows.count == 2)
    }

    @Test func `a file that is locked with a password is said`() throws {
        var bytes = zip([("list.csv", Self.csv)])
        let directory = try #require(bytes.firstRange(of: [0x50, 0x4B, 1, 2]))
        bytes[directory.lowerBound + 8] |= 1
        let file = try ArticleImportFile(bytes)
        #expect(faults(file) == ["list.csv: It is locked with a password: unlock it, and import it again."])
    }

    @Test func `a file whose bytes have changed is said to be broken`() throws {
        var bytes = zip([("list.csv", Self.csv)], isStored: true)
        let content = try #require(bytes.firstRange(of: Self.csv))
        bytes[content.lowerBound + 4] ^= 1
        #expect(faults(try ArticleImportFile(bytes)) == ["list.csv: It is broken. Download the file again."])
    }

    @Test(arguments: [4, 10, 40, 60, 80])
    func `a zip file that breaks off is refused`(length: Int) {
        let bytes = Array(zip([("list.csv", Self.csv)]).prefix(length))
        #expect(throws: RoostError.self) { try ArticleImportFile(bytes) }
    }

    @Test func `no byte of a zip file, whatever it becomes, stops the program`() {
        let bytes = zip([("list.csv", Self.csv), ("b.json", Array("[]".utf8))])
        for place in bytes.indices {
            for value: UInt8 in [0, 0x7F, 0xFF] {
                var changed = bytes
                changed[place] = value
                _ = try? ArticleImportFile(changed)
            }
        }
    }

    @Test func `what breaks off counts for as much as what is whole`() throws {
        var limits = ZipArchive.Limits()
        limits.together = 2 << 20
        let large = [UInt8](repeating: 0x20, count: 1 << 20)
        var bytes = zip((1...4).map { ("\($0)", large) })
        var place = 0
        while let entry = bytes[place...].firstRange(of: [0x50, 0x4B, 1, 2]) {
            let size = entry.lowerBound + 20
            let shorter = Int(bytes[size]) + Int(bytes[size + 1]) << 8 - 4
            (bytes[size], bytes[size + 1]) = (UInt8(shorter & 0xFF), UInt8(shorter >> 8))
            place = entry.upperBound
        }
        var archive = try ZipArchive(bytes, limits: limits)
        var faults: [String] = []
        for entry in archive.entries {
            do { _ = try archive.read(entry) } catch { faults.append(error.why) }
        }
        let (broken, tooLarge) = (
            "It is broken. Download the file again.", "It becomes too large when it is unpacked."
        )
        #expect(faults == [broken, broken, tooLarge, tooLarge])
    }

    @Test func `of one article's highlights as many are read as there may be`() throws {
        let entry = #"{"url":"https://example.org/","highlights":[{"quote":"words"}]}"#
        let list = "[" + [String](repeating: entry, count: 3_000).joined(separator: ",") + "]"
        let file = try ArticleImportFile(
            zip([("pocket/part.csv", Self.csv), ("pocket/annotations/part.json", Array(list.utf8))]))
        let counts = file.rows.compactMap { try? $0.content.get().highlights.count }
        #expect(counts == [1_000])
    }

    @Test func `folders within folders without end take seconds`() throws {
        let (open, link) = ("<DL>", "<A HREF=\"https://example.org/\">x</A>")
        let text =
            "<!DOCTYPE NETSCAPE-Bookmark-file-1>" + String(repeating: open, count: 200_000)
            + String(repeating: link, count: 20_000)
        let start = ContinuousClock.now
        let file = try ArticleImportFile(Array(text.utf8))
        #expect(file.rows.count == 20_000)
        #expect(ContinuousClock.now - start < .seconds(15))
    }

    @Test func `a text beside a list that is longer than any article is left out`() throws {
        let list = #"[{"slug":"one","title":"One","url":"https://example.org/one"}]"#
        let long = [UInt8](repeating: 0x61, count: 9 << 20)
        let file = try ArticleImportFile(zip([("a.json", Array(list.utf8)), ("content/one.html", long)]))
        #expect(faults(file) == ["content/one.html: This text is longer than 8 MB: it was left out."])
        #expect(try file.rows.first?.content.get().content == nil)
    }
}
