import Testing

@testable import RoostWeb

@Suite struct PublicURLTests {
    @Test(arguments: [
        ("https://roost.example.org", "https://roost.example.org", "roost.example.org", true),
        ("HTTPS://Roost.Example.org/", "https://roost.example.org", "roost.example.org", true),
        ("https://roost.example.org:8443", "https://roost.example.org:8443", "roost.example.org", true),
        ("https://roost.example.org:443", "https://roost.example.org", "roost.example.org", true),
        ("http://roost:80", "http://roost", "roost", false),
        ("http://192.168.1.20:8080", "http://192.168.1.20:8080", "192.168.1.20", false),
        ("https://[2001:db8::1]:8443", "https://[2001:db8::1]:8443", "2001:db8::1", true),
        ("https://[::1]", "https://[::1]", "::1", true),
    ])
    func `an address is normalised as browsers do`(
        text: String, origin: String, host: String, isSecure: Bool
    ) throws {
        let url = try #require(PublicURL(text))
        #expect(url.origin == origin)
        #expect(url.host == host)
        #expect(url.isSecure == isSecure)
        #expect(origin.hasSuffix(url.authority))
    }

    @Test(arguments: [
        "", "roost.example.org", "ftp://roost.example.org", "https://", "https:///", "https://:443",
        "https://roost.example.org/roost", "https://roost.example.org?x=1", "https://roost.example.org#x",
        "https://me@roost.example.org", "https://roost.example.org:", "https://roost.example.org:0",
        "https://roost.example.org:65536", "https://roost.example.org:+1", "https://roost example.org",
        "https://rööst.example.org", "https://-roost.example.org", "https://roost..org", "https://[]",
        "https://[roost]", "https://[::1", "https://[fe80::1%25eth0]", "https://::1", "https://a:b:1",
        "https://roost.example.org\r\nX: y", "https://\(String(repeating: "a", count: 64)).org",
    ])
    func `anything but a host and a port is refused`(text: String) {
        #expect(PublicURL(text) == nil)
    }

    @Test(arguments: [("https://roost.example.org", true), ("http://roost.example.org", false), ("", false)])
    func `browsers are told to use HTTPS alone for an https address`(text: String, isSent: Bool) {
        let headers = RequestFilter.headers(publicURL: PublicURL(text))
        #expect(headers.contains { $0.0 == "Strict-Transport-Security" } == isSent)
        #expect(headers.contains { $0.0 == RequestFilter.policyHeader })
    }

    @Test func `a Host header may name it with or without a port`() throws {
        let url = try #require(PublicURL("https://roost.example.org"))
        for header in [
            "roost.example.org", "ROOST.example.org:443", "roost.example.org.", "roost.example.org:8080",
        ] {
            #expect(url.isNamed(by: header), "\(header)")
        }
        for header in [
            "", "evil.example", "roost.example.org.evil.example", "xroost.example.org", "example.org",
        ] {
            #expect(!url.isNamed(by: header), "\(header)")
        }
    }

    @Test func `another port is another address`() throws {
        let url = try #require(PublicURL("https://roost.example.org"))
        #expect(url.isAddressed(by: "roost.example.org"))
        #expect(url.isAddressed(by: "Roost.example.org:443"))
        #expect(!url.isAddressed(by: "roost.example.org:8080"))
        #expect(!url.isAddressed(by: "roost.example.org/x"))
    }
}
