import Foundation
import RoostServices
import Testing

/// Files that Roost writes, and reads again.
@Suite struct BookmarkExportTests {
    private func name(_ full: String) -> RepositoryName { BookmarkFixture.name(full) }

    @Test func `JSON brings everything back, in another Roost too`() async throws {
        try await withBookmarks { bench in
            try await bench.add(
                try BookmarkFixture.item(
                    5, "a/b", stars: 10, description: "Ünïcode “x” \\ / \u{1F600}",
                    homepage: "https://a.example",
                    parent: "up/stream"))
            bench.clock.advance(60)
            try await bench.add(try BookmarkFixture.item(6, "c/list", stars: nil, description: nil))
            bench.clock.advance(60)
            _ = try await bench.read(#"["only/name"]"#)
            _ = try await bench.bookmarks.edit(
                name("a/b"), tags: ["x", "machine learning"], note: "=1+1\n\"q\", 'r'", of: bench.ada)
            try await bench.tell(try BookmarkFixture.item(5, "a/b", stars: 25, fetchedAt: bench.clock.now))
            try await bench.add(try BookmarkFixture.item(7, "lost/one"))
            bench.clock.advance(86_400)
            for full in ["lost/one", "c/list", "only/name", "a/b"] {
                let failure = GitHubFailure(error: .forbidden)
                bench.source.refresh(full, gives: full == "lost/one" ? .success(.gone) : .failure(failure))
            }
            await bench.refreshDue()
            let file = try await bench.files.export(.json, of: bench.ada)

            let imported = try await bench.files.read(file, for: bench.grace)
            #expect(imported.added == 4 && imported.failures.isEmpty)
            let (mine, hers) = (try await bench.listing(), try await bench.listing(of: bench.grace))
            let (old, new) = (mine.groups.flatMap(\.items), hers.groups.flatMap(\.items))
            #expect(old.map(\.fullName) == new.map(\.fullName) && old.count == 4)
            for (one, other) in zip(old, new) {
                #expect(one.tags == other.tags && one.note == other.note && one.addedAt == other.addedAt)
                #expect(one.state == other.state && one.changes == other.changes)
                #expect(one.checkedAt == other.checkedAt)
                #expect(
                    one.item?.detail == other.item?.detail && one.item?.fetchedAt == other.item?.fetchedAt)
                #expect(one.about == other.about && one.ownerType == other.ownerType)
            }
            let again = try await bench.files.export(.json, of: bench.grace)
            #expect(again == file)
        }
    }

    @Test func `CSV brings back names, tags, notes and times, whatever is in them`() async throws {
        try await withBookmarks { bench in
            for (number, note) in [
                "=cmd|' /C calc'!A0", "'=1", "plain", "a \"b\", c;\nd", "@x", "-1", "+1", "'",
            ]
            .enumerated() {
                try await bench.add(
                    try BookmarkFixture.item(Int64(number + 1), "a/n\(number)", description: "=2*3"))
                _ = try await bench.bookmarks.edit(
                    name("a/n\(number)"), tags: ["=t\(number)", "two words"], note: note, of: bench.ada)
                bench.clock.advance(1)
            }
            let file = try await bench.files.export(.csv, of: bench.ada)
            let imported = try await bench.files.read(file, for: bench.grace)
            #expect(imported.added == 8 && imported.failures.isEmpty)
            for number in 0..<8 {
                let mine = try await bench.find("a/n\(number)")
                let hers = try await bench.find("a/n\(number)", of: bench.grace)
                #expect(
                    mine?.note == hers?.note && mine?.tags == hers?.tags && mine?.addedAt == hers?.addedAt)
            }
        }
    }

    @Test func `no cell of the CSV is a formula to a spreadsheet`() async throws {
        try await withBookmarks { bench in
            for (number, first) in ["=", "+", "-", "@"].enumerated() {
                try await bench.add(
                    try BookmarkFixture.item(
                        Int64(number + 1), "a/n\(number)", language: first + "L", description: first + "D"))
                _ = try await bench.bookmarks.edit(
                    name("a/n\(number)"), tags: [first + "T"], note: first + "N", of: bench.ada)
            }
            let text = String(
                decoding: try await bench.files.export(.csv, of: bench.ada), as: UTF8.self)
            let lines = text.split(separator: "\r\n")
            #expect(lines.count == 5 && lines[0].hasPrefix("full_name,html_url,"))
            for cell in lines.dropFirst().flatMap({ $0.split(separator: ",") }) {
                let first = cell.first { $0 != "\"" }
                #expect(first.map { "=+-@\t\r".contains($0) } == false, "\(cell)")
            }
            #expect(text.contains("'=N") && text.contains("'@T"))
        }
    }

    @Test func `an empty list is a file as well`() async throws {
        try await withBookmarks { bench in
            let json = try await bench.files.export(.json, of: bench.ada)
            let csv = try await bench.files.export(.csv, of: bench.ada)
            let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
            #expect((object?["bookmarks"] as? [Any])?.isEmpty == true)
            #expect(String(decoding: csv, as: UTF8.self).hasSuffix("checked_at\r\n"))
        }
    }
}
