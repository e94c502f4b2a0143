import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import TextFormats

@Suite struct BookmarkExportTests {
    private func name(_ full: String) -> RepositoryName { BookmarkFixture.name(full) }

    @Test func `a JSON export restores everything, in another Roost too`() async throws {
        try await withBookmarks { fixture in
            try await fixture.add(
                try BookmarkFixture.item(
                    5, "a/b", stars: 10, description: "Ünïcode “x” \\ / \u{1F600}",
                    homepage: "https://a.example",
                    parent: "up/stream"))
            fixture.clock.advance(60)
            try await fixture.add(try BookmarkFixture.item(6, "c/list", stars: nil, description: nil))
            fixture.clock.advance(60)
            _ = try await fixture.read(#"["only/name"]"#)
            _ = try await fixture.bookmarks.edit(
                name("a/b"), tags: ["x", "machine learning"], note: "=1+1\n\"q\", 'r'", of: fixture.ada)
            try await fixture.tell(
                try BookmarkFixture.item(5, "a/b", stars: 25, fetchedAt: fixture.clock.now))
            try await fixture.add(try BookmarkFixture.item(7, "lost/one"))
            fixture.clock.advance(86_400)
            for full in ["lost/one", "c/list", "only/name", "a/b"] {
                let failure = GitHubFailure(error: .forbidden)
                fixture.source.refresh(
                    full, gives: full == "lost/one" ? .success(.missing) : .failure(failure))
            }
            await fixture.refreshDue()
            let file = try await fixture.files.export(.json, of: fixture.ada)

            let imported = try await fixture.files.read(file, for: fixture.grace)
            #expect(imported.added == 4 && imported.failures.isEmpty)
            let (original, copy) = (try await fixture.listing(), try await fixture.listing(of: fixture.grace))
            let (old, new) = (original.groups.flatMap(\.items), copy.groups.flatMap(\.items))
            #expect(old.map(\.fullName) == new.map(\.fullName) && old.count == 4)
            for (one, other) in zip(old, new) {
                #expect(one.tags == other.tags && one.note == other.note && one.addedAt == other.addedAt)
                #expect(one.state == other.state && one.changes == other.changes)
                #expect(one.checkedAt == other.checkedAt)
                #expect(
                    one.item?.detail == other.item?.detail && one.item?.fetchedAt == other.item?.fetchedAt)
                #expect(one.about == other.about && one.ownerType == other.ownerType)
            }
            let again = try await fixture.files.export(.json, of: fixture.grace)
            #expect(again == file)
        }
    }

    @Test func `an export of 1,406 bookmarks can be imported into another account`() async throws {
        try await withBookmarks { fixture in
            let day = ISO8601.milliseconds(fixture.clock.now - 86_400)
            let rows = (1...1_406).map { number in
                let full = "owner\(number % 97)/name\(number)"
                return #"""
                    {"fullName":"\#(full)","state":"present","tags":["tag \#(number % 9)","swift"],"note":"Note \#(number)",
                    "addedAt":"\#(day)","seen":{"fullName":"\#(full)","state":"present","stars":\#(number)},
                    "repository":{"id":\#(number),"name":"name\#(number)","fullName":"\#(full)","fork":false,
                    "owner":{"login":"owner\#(number % 97)","type":"User"},"isPrivate":false,
                    "description":"What repository \#(number) is for, in some words of its own"}}
                    """#
            }
            let first = try await fixture.read("[" + rows.joined(separator: ",") + "]")
            #expect(first.added == 1_406 && first.failures.isEmpty)
            let file = try await fixture.files.export(.json, of: fixture.ada)
            let imported = try await fixture.files.read(file, for: fixture.grace)
            #expect(imported.added == 1_406 && imported.failures.isEmpty)
            let again = try await fixture.files.export(.json, of: fixture.grace)
            #expect(again == file)
        }
    }

    @Test func `a CSV export restores names, tags, notes and times, whatever they contain`() async throws {
        try await withBookmarks { fixture in
            for (number, note) in [
                "=cmd|' /C calc'!A0", "'=1", "plain", "a \"b\", c;\nd", "@x", "-1", "+1", "'",
            ]
            .enumerated() {
                try await fixture.add(
                    try BookmarkFixture.item(Int64(number + 1), "a/n\(number)", description: "=2*3"))
                _ = try await fixture.bookmarks.edit(
                    name("a/n\(number)"), tags: ["=t\(number)", "two words"], note: note, of: fixture.ada)
                fixture.clock.advance(1)
            }
            let file = try await fixture.files.export(.csv, of: fixture.ada)
            let imported = try await fixture.files.read(file, for: fixture.grace)
            #expect(imported.added == 8 && imported.failures.isEmpty)
            for number in 0..<8 {
                let original = try await fixture.find("a/n\(number)")
                let imported = try await fixture.find("a/n\(number)", of: fixture.grace)
                #expect(
                    original?.note == imported?.note && original?.tags == imported?.tags
                        && original?.addedAt == imported?.addedAt)
            }
        }
    }

    @Test func `no CSV cell is a formula to a spreadsheet`() async throws {
        try await withBookmarks { fixture in
            for (number, first) in ["=", "+", "-", "@"].enumerated() {
                try await fixture.add(
                    try BookmarkFixture.item(
                        Int64(number + 1), "a/n\(number)", language: first + "L", description: first + "D"))
                _ = try await fixture.bookmarks.edit(
                    name("a/n\(number)"), tags: [first + "T"], note: first + "N", of: fixture.ada)
            }
            let text = String(
                decoding: try await fixture.files.export(.csv, of: fixture.ada), as: UTF8.self)
            let lines = text.split(separator: "\r\n")
            #expect(lines.count == 5 && lines[0].hasPrefix("full_name,html_url,"))
            for cell in lines.dropFirst().flatMap({ $0.split(separator: ",") }) {
                let first = cell.first { $0 != "\"" }
                #expect(first.map { "=+-@\t\r".contains($0) } == false, "\(cell)")
            }
            #expect(text.contains("'=N") && text.contains("'@T"))
        }
    }

    @Test func `an empty list exports an empty file`() async throws {
        try await withBookmarks { fixture in
            let json = try await fixture.files.export(.json, of: fixture.ada)
            let csv = try await fixture.files.export(.csv, of: fixture.ada)
            let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
            #expect((object?["bookmarks"] as? [Any])?.isEmpty == true)
            #expect(String(decoding: csv, as: UTF8.self).hasSuffix("checked_at\r\n"))
        }
    }
}
