import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct PictureAddressTests {
    private static func host(
        _ web: String = "https://github.com", isTrusted: Bool = true
    ) -> GitHubHost {
        GitHubHost(
            name: "h", apiURL: web + "/api/v3", graphQLURL: web + "/api/graphql", webURL: web,
            isTrusted: isTrusted)
    }

    @Test(arguments: [
        (
            "https://avatars.githubusercontent.com/u/1?v=4",
            "https://avatars.githubusercontent.com/u/1?v=4&s=64"
        ),
        ("https://avatars.githubusercontent.com/u/1", "https://avatars.githubusercontent.com/u/1?s=64"),
        (
            "https://avatars.githubusercontent.com/u/1?s=460&size=9&v=4",
            "https://avatars.githubusercontent.com/u/1?v=4&s=64"
        ),
        ("https://github.com/ada.png#top", "https://github.com/ada.png?s=64"),
        ("https://pictures.example.org/a.png?s=460", "https://pictures.example.org/a.png?s=460"),
    ])
    func `GitHub's own pictures are requested in the size that is shown`(named: String, asked: String) throws
    {
        #expect(try #require(PictureAddress(named, from: Self.host())).url == asked)
    }

    @Test(arguments: [
        ("https://github.com", "https://github.com/ada.png", true),
        ("https://github.com", "https://avatars.githubusercontent.com/u/1", true),
        ("https://github.com", "https://GitHub.com:443/ada.png", true),
        ("https://github.com", "https://github.com:8443/ada.png", false),
        ("https://github.com", "https://avatars.githubusercontent.com.evil.org/u/1", false),
        ("https://github.com", "https://evil.org/github.com/u/1", false),
        ("https://git.corp", "https://git.corp/avatars/u/1", true),
        ("https://git.corp", "https://avatars.git.corp/u/1", true),
        ("https://git.corp", "https://other.git.corp/u/1", false),
        ("http://127.0.0.1:8093", "http://127.0.0.1:8093/avatars/1", true),
        ("http://127.0.0.1:8093", "https://127.0.0.1:8093/avatars/1", false),
    ])
    func `only a trusted host's own addresses count as its own`(web: String, url: String, isOwn: Bool) throws
    {
        #expect(try #require(PictureAddress(url, from: Self.host(web))).isOwn == isOwn)
        let stranger = PictureAddress(url, from: Self.host(web, isTrusted: false))
        #expect(stranger?.isOwn != true)
        #expect((stranger == nil) == url.hasPrefix("http://"))
    }

    @Test(arguments: [
        "http://127.0.0.1:8094/a.png", "http://example.org/a.png", "ftp://example.org/a.png",
        "file:///etc/passwd", "javascript:alert(1)", "data:image/png;base64,AA", "", "/avatars/1",
        "https://", "https:///a.png", "https://ada:secret@example.org/a.png", "https://example.org/a b.png",
        "https://example.org/ä.png", "https://example.org/\r\nHost: x", "//example.org/a.png",
        "https://github.com@127.0.0.1/" + String(repeating: "a", count: 3_000),
    ])
    func `an address that is not a picture's is not requested`(url: String) {
        #expect(PictureAddress(url, from: Self.host()) == nil)
    }

    @Test func `a picture's name depends only on its address`() throws {
        let one = try #require(PictureAddress("https://example.org/a.png", from: Self.host()))
        let same = try #require(
            PictureAddress("HTTPS://EXAMPLE.org/a.png#x", from: Self.host("https://git.corp")))
        let other = try #require(PictureAddress("https://example.org/A.png", from: Self.host()))
        #expect(one.name == same.name && one.name != other.name && PictureAddress.isName(one.name))
        // sha256sum of "https://example.org/a.png"
        #expect(one.name == "077c887d094368c955d80cb3562e2e0284d1355693196dfdd87e42854ac81349")
        for wrong in ["", "a", String(repeating: "G", count: 64), String(repeating: "/", count: 64)] {
            #expect(!PictureAddress.isName(wrong))
        }
    }
}
