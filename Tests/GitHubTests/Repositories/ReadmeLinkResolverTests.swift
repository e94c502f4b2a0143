import Foundation
import Testing

@testable import GitHub

/// The targets of a README's links and pictures.
@Suite struct ReadmeLinkResolverTests {
    private static let blob = "https://github.com/octocat/Hello-World/blob/main/"
    private static let raw = "https://raw.githubusercontent.com/octocat/Hello-World/main/"

    private func link(_ href: String, branch: String = "main", path: String? = nil) throws -> String? {
        let escaped = href.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        let html = "<div data-path='\(path ?? "README.md")'><a href=\"\(escaped)\">x</a></div>"
        let shown = try ReadmeFixture.shown(html, branch: branch)
        return shown.firstMatch(of: #/<a href="([^"]*)"/#).map { String($0.1) }
    }

    private func picture(_ src: String, branch: String = "main", path: String? = nil) throws -> String? {
        let escaped = src.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
        let html = "<div data-path='\(path ?? "README.md")'><img alt=x src=\"\(escaped)\"></div>"
        return try ReadmeFixture.clean(html, branch: branch).pictures.first?.url
    }

    @Test(arguments: [
        ("https://example.org/a?b=c&d=e#f", "https://example.org/a?b=c&amp;d=e#f"),
        ("HTTP://Example.org", "http://Example.org"), ("//example.org/x", "https://example.org/x"),
        ("mailto:ada@example.org?subject=hello there", "mailto:ada@example.org?subject=hello%20there"),
        ("docs/a b.md", blob + "docs/a%20b.md"), ("./docs/", blob + "docs/"), ("/LICENSE", blob + "LICENSE"),
        ("../../../x", blob + "x"), ("a/%2E%2e/../b", blob + "b"), ("a//b/./c", blob + "a/b/c"),
        ("a\u{D4E}/../b", blob + "b"), ("a/..\u{D4E}/\u{301}b", blob + "a/..%E0%B5%8E/%CC%81b"),
        ("docs/a.md?x=1#part", blob + "docs/a.md?x=1#part"), (" \n docs/a.md\t", blob + "docs/a.md"),
        ("/octocat/hello-world/issues", "https://github.com/octocat/hello-world/issues"),
        ("日本.md", blob + "%E6%97%A5%E6%9C%AC.md"), ("{{x}}", blob + "%7B%7Bx%7D%7D"),
        ("\\\\evil.example\\x", blob + "%5C%5Cevil.example%5Cx"),
        ("x\"onclick='y'", blob + "x%22onclick=&#39;y&#39;"),
        ("http://[::1]:80/", "http://[::1]:80/"), ("https://bücher.example/", "https://b%C3%BCcher.example/"),
        ("#Install", "#readme-Install"), ("#user-content-install", "#readme-install"),
        ("#%E6%97%A5", "#readme-日"),
    ])
    func `a link leads where GitHub's page would`(href: String, url: String) throws {
        #expect(try link(href) == url)
    }

    @Test(arguments: [
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:x", "java\nscript:x", "java\tscript:x",
        "\u{1}javascript:x", "javascript&colon;x".replacing("&colon;", with: ":"), "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd", "blob:x", "view-source:x", "ftp://x", "x:y", "http:x", "https:/x", "https://",
        "https://user@evil.example", "https://github.com\\@evil.example", "https://a b/", "https://a%40b/",
        "mailto:", "", " ", "#", "#%20", "?x=1", "https://x\u{85}/",
        "https://x/" + String(repeating: "a", count: 2_100),
    ])
    func `an unsafe or invalid link is dropped`(href: String) throws {
        #expect(try link(href) == nil)
    }

    @Test(arguments: [
        ("logo.png", raw + "logo.png"), ("/docs/l.png", raw + "docs/l.png"),
        ("https://img.example/a b.png?x=1&y=2", "https://img.example/a%20b.png?x=1&y=2"),
        ("//img.example/x", "https://img.example/x"),
        ("http://192.168.1.1/x.png", "http://192.168.1.1/x.png"),
        (blob + "a.png?raw=true", raw + "a.png?raw=true"),
        ("/octocat/Hello-World/blob/main/a.png", raw + "a.png"),
        (
            "/octocat/Hello-World/raw/dev/a.png",
            "https://raw.githubusercontent.com/octocat/Hello-World/dev/a.png"
        ),
    ])
    func `a picture comes from the repository's own files or from its own address`(src: String, url: String)
        throws
    {
        #expect(try picture(src) == url)
    }

    @Test func `on hosts other than github.com raw files are below the web address`() throws {
        let hosts = GitHubHosts(apiURL: "https://git.example.org/api/v3")
        let repository = try ReadmeFixture.repository(htmlURL: "https://git.example.org/octocat/Hello-World")
        let html = "<img src=a.png><img src=https://git.example.org/o/n/blob/dev/b.png><img src=/x/y>"
        let readme = Readme.cleaned(
            Data(html.utf8), repository: repository, branch: "main", host: hosts.standard)
        let raw = "https://git.example.org/octocat/Hello-World/raw/main/"
        #expect(
            readme.pictures.map(\.url) == [
                raw + "a.png", "https://git.example.org/o/n/raw/dev/b.png", raw + "x/y",
            ])
    }

    @Test func `links in a folder's README are relative to the folder`() throws {
        #expect(try link("a.md", path: "docs/en/README.md") == Self.blob + "docs/en/a.md")
        #expect(try link("../b.md", path: "docs/en/README.md") == Self.blob + "docs/b.md")
        #expect(try link("/c.md", path: "docs/en/README.md") == Self.blob + "c.md")
        #expect(try picture("d.png", path: "../../.github/README.md") == Self.raw + ".github/d.png")
    }

    @Test(arguments: [
        ("main", "main"), ("release/1.0", "release/1.0"), ("a#b?c", "a%23b%3Fc"), ("", "HEAD"),
        ("..", "HEAD"),
        ("a/../../..", "HEAD"), ("x\"><script>", "x%22%3E%3Cscript%3E"), ("/", "HEAD"),
    ])
    func `a branch name is part of an address, whatever its characters`(branch: String, part: String) throws {
        #expect(try link("x", branch: branch) == "https://github.com/octocat/Hello-World/blob/\(part)/x")
        #expect(
            try picture("x", branch: branch)
                == "https://raw.githubusercontent.com/octocat/Hello-World/\(part)/x")
    }

    @Test func `special characters in an address cannot break out of it`() throws {
        let evil = try ReadmeFixture.repository(htmlURL: "https://x/\"><script>alert(1)</script>{{y}}")
        let readme = Readme.cleaned(
            Data("<a href=z>q</a>".utf8), repository: evil, branch: "main", host: ReadmeFixture.host)
        #expect(!readme.markup.contains("<script") && !readme.markup.contains("{{"))
        #expect(
            readme.markup.contains(
                "https://x/%22%3E%3Cscript%3Ealert(1)%3C/script%3E%7B%7By%7D%7D/blob/main/z"))
    }
}
