import TestSupport
import Testing
import TextFormats

@testable import HTTPServer
@testable import RoostWeb

@Suite struct ForwardingTests {
    private static let proxies = ["127.0.0.1", "10.0.0.0/8", "::1"].compactMap(AddressRange.init)
    private let behindProxy = Forwarding(
        trusted: proxies, publicURL: PublicURL("https://roost.example.org"))

    private func request(
        _ headers: [(String, String)], host: String = "roost.example.org", peer: String = "127.0.0.1",
        version: String = "HTTP/1.1"
    ) throws -> Request {
        try Request(
            headers: [("Host", host)] + headers, peer: #require(IPAddress(client: peer)), version: version)
    }

    @Test(arguments: [
        ("nas", true), ("NAS:8080", true), ("nas.home.arpa", true), ("nas.", true),
        ("nas.evil.example", false),
        ("printer", false), ("192.168.1.20", true), ("roost.local", true),
    ])
    func `names that the operator allows are Roost's own`(host: String, isOwn: Bool) {
        let forwarding = Forwarding(hostNames: ["nas", "nas.home.arpa"])
        #expect(forwarding.isRebindingSafe(host) == isOwn)
    }

    @Test func `a refusal names the setting that allows the host`() throws {
        let filter = RequestFilter(forwarding: Forwarding(), publicURL: nil)
        let failure = try #require(filter.rejection(of: try request([], host: "nas:8080")))
        #expect(
            failure.message.contains("--host-names nas,") || failure.message.contains("--host-names nas "))
        #expect(failure.message.contains("ROOST_HOST_NAMES=nas."))
        let odd = try #require(filter.rejection(of: try request([], host: "<b>")))
        #expect(!odd.message.contains("<"))
    }

    @Test func `without trusted proxies forwarded headers are ignored`() throws {
        let caller = Forwarding().caller(
            of: try request([
                ("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-Proto", "https"),
                ("X-Forwarded-Host", "evil.example"),
                ("Forwarded", "for=203.0.113.9;proto=https;host=evil.example"),
            ]))
        #expect(caller.address == "127.0.0.1")
        #expect(caller.host == "roost.example.org")
        #expect(!caller.isSecure)
        #expect(!caller.isOnThisMachine)
    }

    @Test func `only headers from a trusted proxy are used`() throws {
        let headers = [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-Proto", "http")]
        let untrusted = behindProxy.caller(of: try request(headers, peer: "203.0.113.9"))
        #expect(untrusted.address == "203.0.113.9")
        let proxy = behindProxy.caller(of: try request(headers, peer: "10.1.2.3"))
        #expect(proxy.address == "198.51.100.1")
        #expect(!proxy.isSecure)
    }

    @Test(arguments: [
        ("203.0.113.9", "203.0.113.9"),
        // The client wrote the left one.
        ("127.0.0.1, 203.0.113.9", "203.0.113.9"),
        ("198.51.100.1, 203.0.113.9, 10.0.0.7", "203.0.113.9"),
        ("2001:db8::7, 10.0.0.7 , 10.0.0.8", "2001:db8::7"),
        // All are proxies: the client is the farthest one.
        ("10.0.0.9, 10.0.0.7", "10.0.0.9"),
        ("203.0.113.9:4711", "203.0.113.9"), ("[2001:db8::7]:4711", "2001:db8::7"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        // Parsing stops at an invalid entry, and everything to its left is ignored.
        ("203.0.113.9, unknown", "127.0.0.1"), ("203.0.113.9, nonsense, 10.0.0.7", "10.0.0.7"),
        ("", "127.0.0.1"),
        (",,,", "127.0.0.1"), ("203.0.113.9,", "127.0.0.1"), ("_hidden", "127.0.0.1"),
        ("1.2.3.4.5", "127.0.0.1"),
        // The client's text cannot hide the comma that the next proxy adds.
        ("198.51.100.1\u{D4E}, 203.0.113.9", "203.0.113.9"), ("x\u{600},203.0.113.9", "203.0.113.9"),
        ("198.51.100.1,\u{301}, 203.0.113.9", "203.0.113.9"),
        ("203.0.113.9:", "127.0.0.1"), ("[203.0.113.9]", "127.0.0.1"), ("[::1", "127.0.0.1"),
    ])
    func `the client is the rightmost address that is not a proxy`(list: String, client: String) throws {
        let caller = behindProxy.caller(of: try request([("X-Forwarded-For", list)]))
        #expect(caller.address == client)
        #expect(!caller.isOnThisMachine)
    }

    @Test func `several header lines are one list`() throws {
        let headers = [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-For", "203.0.113.9")]
        #expect(behindProxy.caller(of: try request(headers)).address == "203.0.113.9")
    }

    @Test(arguments: [
        ("for=203.0.113.9;proto=https;host=roost.example.org", "203.0.113.9", true),
        ("For=\"[2001:db8::7]:4711\"; Proto=HTTPS", "2001:db8::7", true),
        ("for=198.51.100.1;proto=https, for=203.0.113.9;proto=http;by=10.0.0.7", "203.0.113.9", false),
        ("for=\"203.0.113.\\9\"", "203.0.113.9", true), ("for=203.0.113.9:80", "127.0.0.1", true),
        ("for=_gazonk", "127.0.0.1", true), ("for=unknown, for=10.0.0.7", "10.0.0.7", true),
        // A client's unclosed quotation mark does not hide what the proxy wrote.
        ("for=\"198.51.100.1, for=203.0.113.9", "127.0.0.1", true),
        ("for=198.51.100.1;for=203.0.113.9", "127.0.0.1", true), ("for", "127.0.0.1", true),
        ("for=", "127.0.0.1", true),
        (";;", "127.0.0.1", true), (", ,for=203.0.113.9,", "203.0.113.9", true), ("", "127.0.0.1", true),
        ("for=203.0.113.9 for=198.51.100.1", "127.0.0.1", true),
    ])
    func `the standard Forwarded header follows its grammar`(text: String, client: String, isSecure: Bool)
        throws
    {
        let caller = behindProxy.caller(of: try request([("Forwarded", text)]))
        #expect(caller.address == client)
        // The public address is https, which applies if the header has no scheme.
        #expect(caller.isSecure == isSecure)
    }

    @Test func `contradicting headers are both ignored`() throws {
        let forged = behindProxy.caller(
            of: try request([
                ("X-Forwarded-For", "203.0.113.9"), ("Forwarded", "for=198.51.100.1;host=roost.example.org"),
                ("X-Forwarded-Host", "elsewhere.local"),
            ]))
        #expect(forged.address == "127.0.0.1")
        #expect(forged.host == "roost.example.org")
        let agreed = behindProxy.caller(
            of: try request([("X-Forwarded-For", "203.0.113.9"), ("Forwarded", "for=203.0.113.9")]))
        #expect(agreed.address == "203.0.113.9")
    }

    @Test(arguments: [
        (nil, "roost.example.org", true), (nil, "roost.example.org:443", true),
        (nil, "roost.example.org:8080", false),
        (nil, "192.168.1.20:8080", false), ("http", "roost.example.org", false),
        ("https", "192.168.1.20", true),
        ("http, https", "192.168.1.20", true), ("https, http", "192.168.1.20", false),
        ("gopher", "192.168.1.20", false),
        ("", "roost.example.org", true),
    ])
    func `the nearest proxy's scheme decides, or else the public address`(
        scheme: String?, host: String, isSecure: Bool
    ) throws {
        let headers =
            [("X-Forwarded-For", "203.0.113.9")] + (scheme.map { [("X-Forwarded-Proto", $0)] } ?? [])
        let caller = behindProxy.caller(of: try request(headers, host: host))
        #expect(caller.isSecure == isSecure)
        #expect(caller.origin == (isSecure ? "https://" : "http://") + host)
    }

    @Test func `a direct TLS connection is secure whatever the headers say`() throws {
        let direct = try Request(
            headers: [("Host", "roost.local"), ("X-Forwarded-Proto", "http")], isSecure: true)
        #expect(behindProxy.caller(of: direct).isSecure)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "roost.example.org", "roost.example.org"),
        ("127.0.0.1:8080", "evil.example, Roost.example.org:8443", "roost.example.org:8443"),
        ("127.0.0.1:8080", "evil.example", "evil.example"),
        // DNS rebinding: a page on an attacker's domain sends Roost's name in a header that the proxy passes on.
        ("evil.example", "roost.example.org", "evil.example"),
        ("roost.example.org", "a b", "roost.example.org"), ("roost.example.org", "a/b", "roost.example.org"),
        ("roost.example.org", "x@y", "roost.example.org"), ("roost.example.org", "", "roost.example.org"),
        ("roost.example.org", "[::1", "roost.example.org"), ("roost.example.org", "a:80", "a:80"),
    ])
    func `a forwarded host counts only if the request's own host is allowed`(
        own: String, forwarded: String, host: String
    )
        throws
    {
        let headers = [("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-Host", forwarded)]
        #expect(behindProxy.caller(of: try request(headers, host: own)).host == host)
    }

    @Test func `only hosts that attackers cannot point at Roost are safe from rebinding`() {
        for host in [
            "roost.example.org", "ROOST.example.org:8443", "localhost:8080", "[fd00::1]:8080", "roost.local",
        ] {
            #expect(behindProxy.isRebindingSafe(host), "\(host)")
        }
        for host in [
            "evil.example", "example.org", "roost.example.org.evil.example", "", "\u{FF11}:\u{FF11}",
        ] {
            #expect(!behindProxy.isRebindingSafe(host), "\(host)")
        }
        #expect(!Forwarding().isRebindingSafe("roost.example.org"))
    }

    @Test func `a browser on this machine connects to loopback without a proxy`() throws {
        let localRequest = try request([], host: "localhost:8080")
        #expect(Forwarding().caller(of: localRequest).isOnThisMachine)
        #expect(behindProxy.caller(of: localRequest).isOnThisMachine)
        let otherRequests = [
            try request([], host: "localhost", version: "HTTP/1.0"), try request([], host: "192.168.1.20"),
            try request([], host: "localhost", peer: "192.168.1.7"),
            try request([], host: "roost.example.org"),
            try Request(),
        ]
        for other in otherRequests { #expect(!Forwarding().caller(of: other).isOnThisMachine) }
    }

    @Test(arguments: [
        "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Forwarded-Proto", "X-Forwarded-Port",
        "X-Forwarded-Server", "X-Real-IP", "Via", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP",
    ])
    func `any proxy header means that the request is not from this machine`(mark: String) throws {
        for value in ["127.0.0.1", "", "::1, localhost"] {
            let marked = try request([(mark, value)], host: "localhost")
            #expect(!Forwarding().caller(of: marked).isOnThisMachine)
            #expect(!behindProxy.caller(of: marked).isOnThisMachine)
        }
    }

    /// Seeded, so that failures are reproducible.
    @Test func `thousands of malformed headers neither crash nor grant anything`() throws {
        var random = SeededNumbers(seed: 3)
        let names = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"]
        let pieces = [
            "for=", "\"", "\\", "[", "]", ":", ";", ",", " ", "=", "127.0.0.1", "::1", "10.0.0.7",
            "203.0.113.9", "host=",
            "proto=", "https", "unknown", "_x", "localhost", "%", "é", "\u{1F426}", "0", "/", ".",
        ]
        for _ in 0..<5_000 {
            let headers = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (
                    names.randomElement(using: &random) ?? "Via",
                    (0..<Int.random(in: 0...12, using: &random))
                        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
                )
            }
            let caller = behindProxy.caller(of: try request(headers, host: "localhost"))
            #expect(!caller.isOnThisMachine, "\(headers)")
            #expect(IPAddress(caller.address) != nil, "\(headers)")
            let untrusted = behindProxy.caller(of: try request(headers, host: "localhost", peer: "192.0.2.1"))
            #expect(
                untrusted.address == "192.0.2.1" && untrusted.host == "localhost" && !untrusted.isSecure,
                "\(headers)")
        }
    }
}
