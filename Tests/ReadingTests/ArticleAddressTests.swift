import Testing

@testable import Reading
@testable import RoostSupport

@Suite struct ArticleAddressTests {
    @Test(arguments: [
        ("https://Example.ORG", "https://example.org/"),
        ("example.org/a", "https://example.org/a"),
        ("  http://example.org:80/a#part ", "http://example.org/a#part"),
        ("https://example.org/a#", "https://example.org/a"),
        ("https://example.org/a#Top", "https://example.org/a"),
        ("https://example.org/a#:~:text=one,two", "https://example.org/a"),
        ("https://example.org/a#part:~:text=one", "https://example.org/a#part"),
        ("https://example.org/a#utm_source=feed", "https://example.org/a"),
        ("https://example.org/a#xtor=RSS-1&doc=7", "https://example.org/a#doc=7"),
        ("https://example.org/film#t=90", "https://example.org/film"),
        ("https://example.org/#/", "https://example.org/"),
        ("https://example.org/#/inbox/7?page=2", "https://example.org/#/inbox/7?page=2"),
        ("https://example.org/#!/inbox", "https://example.org/#!/inbox"),
        ("https://example.org/sheet#gid=0", "https://example.org/sheet#gid=0"),
        ("https://example.org/wiki#%c3%9cber", "https://example.org/wiki#%C3%9Cber"),
        ("https://example.org:443/", "https://example.org/"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("https://example.org./a", "https://example.org/a"),
        ("https://example.org/a/../b/./c", "https://example.org/b/c"),
        ("https://example.org/../../a", "https://example.org/a"),
        ("https://example.org/%7eada/%2f%c3%a9", "https://example.org/~ada/%2F%C3%A9"),
        ("https://example.org/é x", "https://example.org/%C3%A9%20x"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://BÜCHER.example/", "https://xn--bcher-kva.example/"),
        ("https://例え.テスト/", "https://xn--r8jz45g.xn--zckzah/"),
        ("https://example.org/?utm_source=x&id=7&fbclid=y", "https://example.org/?id=7"),
        ("https://example.org/a?utm_medium=mail#top", "https://example.org/a"),
        ("https://example.org/a?b=2&a=1", "https://example.org/a?b=2&a=1"),
        ("https://example.org/a?UTM_Source=x", "https://example.org/a"),
        ("https://example.org\\a", "https://example.org/a"),
        ("http://[2001:DB8::1]:8080/", "http://[2001:db8::1]:8080/"),
        ("example.org:8080/a", "https://example.org:8080/a"),
    ])
    func `every spelling of a page's address is normalized to one`(input: String, normalized: String) throws {
        #expect(try ArticleAddress(input).normalized == normalized)
    }

    @Test func `meaningful parts of an address stay, and normalizing again changes nothing`() throws {
        for text in ["https://example.org/a/", "https://example.org/a?page=2", "http://example.org/a"] {
            let address = try ArticleAddress(text)
            #expect(address.normalized == text)
            #expect(try ArticleAddress(address.normalized).normalized == address.normalized)
        }
    }

    @Test(arguments: [
        "", "   ", "javascript:alert(1)", "data:text/html,x", "ftp://example.org/", "file:///etc/passwd",
        "mailto:ada@example.org", "https://ada:secret@example.org/", "https://ada@example.org/", "https://",
        "https:///a", "https://exa mple.org/", "https://example.org:0/", "https://example.org:65536/",
        "https://example.org:80x/", "https://ex%61mple.org/", "https://example..org/", "/reading/7",
        "https://example.org/\u{0}", "https://example.org/a\nb", "https://example.org/\u{202E}gpj",
        "https://[::1", "https://exam<ple.org/",
    ])
    func `an invalid address is refused with a message`(text: String) {
        #expect {
            try ArticleAddress(text)
        } throws: { error in
            guard case RoostError.invalid(field: "url", let why) = error else { return false }
            return !why.isEmpty && !why.contains("secret")
        }
    }

    @Test func `an address of megabytes is refused`() {
        let long = "https://example.org/" + String(repeating: "a", count: 3_000_000)
        #expect(throws: RoostError.self) { try ArticleAddress(long) }
        let growing = "https://example.org/" + String(repeating: "é", count: 1_000)
        #expect(throws: RoostError.self) { try ArticleAddress(growing) }
    }

    @Test func `a percent-encoded address is parsed back`() throws {
        let address = try ArticleAddress("https://example.org/" + String(repeating: "語", count: 350))
        #expect(address.text.utf8.count > ArticleAddress.maximumLength)
        #expect(try ArticleAddress(address.text) == address)
    }

    @Test func `a site's name is its host without prefixes such as www`() throws {
        let page = try ArticleAddress("https://www.example.org/a")
        #expect(page.site == "example.org")
        #expect(try page.isSameSite(as: ArticleAddress("https://m.example.org/b")))
        #expect(try page.isSameSite(as: ArticleAddress("http://example.org/b")))
        #expect(try !page.isSameSite(as: ArticleAddress("https://example.org.evil.example/a")))
        #expect(try !page.isSameSite(as: ArticleAddress("https://other.example/a")))
        #expect(try !page.isSameSite(as: ArticleAddress("https://www.example.org:8443/a")))
    }

    @Test(arguments: [
        ("https://example.org/", true), ("https://example.org/login?next=/a", true),
        ("https://example.org/en/index.html", true), ("https://example.org/a", false),
        ("https://example.org/?p=7", false),
    ])
    func `front pages and sign-in pages are not article addresses`(text: String, isGeneric: Bool) throws {
        #expect(try ArticleAddress(text).isGeneric == isGeneric)
    }
}
