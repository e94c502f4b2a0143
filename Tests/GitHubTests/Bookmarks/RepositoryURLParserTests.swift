import Foundation
import Testing

@Suite struct RepositoryURLParserTests {
    @Test(arguments: [
        "a/b", " a/b ", "https://github.com/a/b", "http://github.com/a/b/", "HTTPS://GitHub.com/a/b",
        "https://www.github.com/a/b#readme", "https://github.com/a/b?tab=stars",
        "https://github.com/a/b.git",
        "github.com/a/b", "git@github.com:a/b.git", "ssh://git@github.com/a/b.git",
        "git://github.com/a/b",
        "git+https://github.com/a/b.git", "https://github.com//a//b",
        "https://user@github.com/a/b/tree/x/y",
    ])
    func `every way of writing a repository is read`(text: String) async throws {
        try await withBookmarks { fixture in
            let imported = try await fixture.read("[\"\(text)\"]")
            let names = try await fixture.names()
            #expect(names == ["a/b"] && imported.failures.isEmpty)
        }
    }

    @Test(arguments: [
        "a", "a/b/c", "https://github.com/a", "https://github.com", "github.com/a",
        "https://evil.example/a/b",
        "https://github.com.evil.example/a/b", "https://github.com@evil.example/a/b", "javascript:a/b",
        "https://github.com/../b", "https://github.com/a/..", "https://github.com/a/%2e%2e",
        "//github.com/a/b/c",
        "a /b", "ä/b", "a/b\\u0000", "", "https://github.com/\(String(repeating: "a", count: 3_000))/b",
        "ftp://github.com/a/b", "https://github.com:8443/a/b",
    ])
    func `text that does not name a repository on GitHub is refused`(text: String) async throws {
        try await withBookmarks { fixture in
            let imported = try await fixture.read("[\"\(text)\"]")
            #expect(imported.added == 0 && imported.failures.map(\.row) == [1])
        }
    }
}
