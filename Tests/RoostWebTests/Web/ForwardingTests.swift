import TestSupport
import Testing

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
        try Request(headers: [("Host", host)] + headers, peer: PeerAddress(peer), version: version)
    }

    @Test func `without trust nothing that is forwarded is believed`() throws {
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

    @Test func `a stranger's word does not count, the proxy's does`() throws {
        let headers = [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-Proto", "http")]
        let stranger = behindProxy.caller(of: try request(headers, peer: "203.0.113.9"))
        #expect(stranger.address == "203.0.113.9")
        let proxy = behindProxy.caller(of: try request(headers, peer: "10.1.2.3"))
        #expect(proxy.address == "198.51.100.1")
        #expect(!proxy.isSecure)
    }

    @Test(arguments: [
        ("203.0.113.9", "203.0.113.9"),
        // The left one is what the client wrote.
        ("127.0.0.1, 203.0.113.9", "203.0.113.9"),
        ("198.51.100.1, 203.0.113.9, 10.0.0.7", "203.0.113.9"),
        ("2001:db8::7, 10.0.0.7 , 10.0.0.8", "2001:db8::7"),
        // All of them are proxies: the farthest one is the client.
        ("10.0.0.9, 10.0.0.7", "10.0.0.9"),
        ("203.0.113.9:4711", "203.0.113.9"), ("[2001:db8::7]:4711", "2001:db8::7"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        // What cannot be read ends the walk: nothing left of it is believed.
        ("203.0.113.9, unknown", "127.0.0.1"), ("203.0.113.9, nonsense, 10.0.0.7", "10.0.0.7"),
        ("", "127.0.0.1"),
        (",,,", "127.0.0.1"), ("203.0.113.9,", "127.0.0.1"), ("_hidden", "127.0.0.1"),
        ("1.2.3.4.5", "127.0.0.1"),
        // What a client writes cannot swallow the comma of the proxy behind it.
        ("198.51.100.1\u{D4E}, 203.0.113.9", "203.0.113.9"), ("x\u{600},203.0.113.9", "203.0.113.9"),
        ("198.51.100.1,\u{301}, 203.0.113.9", "203.0.113.9"),
        ("203.0.113.9:", "127.0.0.1"), ("[203.0.113.9]", "127.0.0.1"), ("[::1", "127.0.0.1"),
    ])
    func `the client is the rightmost address that is no proxy's`(list: String, client: String) throws {
        let caller = behindProxy.caller(of: try request([("X-Forwarded-For", list)]))
        #expect(caller.address == client)
        #expect(!caller.isOnThisMachine)
    }

    @Test func `several lines are one list`() throws {
        let headers = [("X-Forwarded-For", "198.51.100.1"), ("X-Forwarded-For", "203.0.113.9")]
        #expect(behindProxy.caller(of: try request(headers)).address == "203.0.113.9")
    }

    @Test(arguments: [
        ("for=203.0.113.9;proto=https;host=roost.example.org", "203.0.113.9", true),
        ("For=\"[2001:db8::7]:4711\"; Proto=HTTPS", "2001:db8::7", true),
        ("for=198.51.100.1;proto=https, for=203.0.113.9;proto=http;by=10.0.0.7", "203.0.113.9", false),
        ("for=\"203.0.113.\\9\"", "203.0.113.9", true), ("for=203.0.113.9:80", "127.0.0.1", true),
        ("for=_gazonk", "127.0.0.1", true), ("for=unknown, for=10.0.0.7", "10.0.0.7", true),
        // A client's open quotation mark does not hide what the proxy wrote.
        ("for=\"198.51.100.1, for=203.0.113.9", "127.0.0.1", true),
        ("for=198.51.100.1;for=203.0.113.9", "127.0.0.1", true), ("for", "127.0.0.1", true),
        ("for=", "127.0.0.1", true),
        (";;", "127.0.0.1", true), (", ,for=203.0.113.9,", "203.0.113.9", true), ("", "127.0.0.1", true),
        ("for=203.0.113.9 for=198.51.100.1", "127.0.0.1", true),
    ])
    func `the standard header is read by its grammar`(text: String, client: String, isSecure: Bool) throws {
        let caller = behindProxy.caller(of: try request([("Forwarded", text)]))
        #expect(caller.address == client)
        // The public address is https: without another word it is believed.
        #expect(caller.isSecure == isSecure)
    }

    @Test func `what two headers say differently is believed of neither`() throws {
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
    func `secure is what the nearest proxy says, else what the public address says`(
        scheme: String?, host: String, isSecure: Bool
    ) throws {
        let headers =
            [("X-Forwarded-For", "203.0.113.9")] + (scheme.map { [("X-Forwarded-Proto", $0)] } ?? [])
        let caller = behindProxy.caller(of: try request(headers, host: host))
        #expect(caller.isSecure == isSecure)
        #expect(caller.origin == (isSecure ? "https://" : "http://") + host)
    }

    @Test func `a connection of our own TLS is secure whatever a header says`() throws {
        let direct = try Request(
            headers: [("Host", "roost.local"), ("X-Forwarded-Proto", "http")], isSecure: true)
        #expect(behindProxy.caller(of: direct).isSecure)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "roost.example.org", "roost.example.org"),
        ("127.0.0.1:8080", "evil.example, Roost.example.org:8443", "roost.example.org:8443"),
        ("127.0.0.1:8080", "evil.example", "evil.example"),
        // A page on a stranger's name sends ours in a header that the proxy passes on.
        ("evil.example", "roost.example.org", "evil.example"),
        ("roost.example.org", "a b", "roost.example.org"), ("roost.example.org", "a/b", "roost.example.org"),
        ("roost.example.org", "x@y", "roost.example.org"), ("roost.example.org", "", "roost.example.org"),
        ("roost.example.org", "[::1", "roost.example.org"), ("roost.example.org", "a:80", "a:80"),
    ])
    func `a forwarded name counts only beside a welcome one`(own: String, forwarded: String, host: String)
        throws
    {
        let headers = [("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-Host", forwarded)]
        #expect(behindProxy.caller(of: try request(headers, host: own)).host == host)
    }

    @Test func `names that a stranger cannot point at us are ours`() {
        for host in [
            "roost.example.org", "ROOST.example.org:8443", "localhost:8080", "[fd00::1]:8080", "roost.local",
        ] {
            #expect(behindProxy.isOurs(host), "\(host)")
        }
        for host in [
            "evil.example", "example.org", "roost.example.org.evil.example", "", "\u{FF11}:\u{FF11}",
        ] {
            #expect(!behindProxy.isOurs(host), "\(host)")
        }
        #expect(!Forwarding().isOurs("roost.example.org"))
    }

    @Test func `a browser here is one that no proxy speaks for`() throws {
        let here = try request([], host: "localhost:8080")
        #expect(Forwarding().caller(of: here).isOnThisMachine)
        #expect(behindProxy.caller(of: here).isOnThisMachine)
        let others = [
            try request([], host: "localhost", version: "HTTP/1.0"), try request([], host: "192.168.1.20"),
            try request([], host: "localhost", peer: "192.168.1.7"),
            try request([], host: "roost.example.org"),
            try Request(),
        ]
        for other in others { #expect(!Forwarding().caller(of: other).isOnThisMachine) }
    }

    @Test(arguments: [
        "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Forwarded-Proto", "X-Forwarded-Port",
        "X-Forwarded-Server", "X-Real-IP", "Via", "CF-Connecting-IP", "True-Client-IP", "X-Client-IP",
    ])
    func `any mark of a proxy makes a request somebody else's`(mark: String) throws {
        for value in ["127.0.0.1", "", "::1, localhost"] {
            let marked = try request([(mark, value)], host: "localhost")
            #expect(!Forwarding().caller(of: marked).isOnThisMachine)
            #expect(!behindProxy.caller(of: marked).isOnThisMachine)
        }
    }

    /// Seeded: a failure comes again.
    @Test func `thousands of mangled headers neither trap nor make anybody more`() throws {
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
            #expect(NetworkAddress(caller.address) != nil, "\(headers)")
            let stranger = behindProxy.caller(of: try request(headers, host: "localhost", peer: "192.0.2.1"))
            #expect(
                stranger.address == "192.0.2.1" && stranger.host == "localhost" && !stranger.isSecure,
                "\(headers)")
        }
    }
}
