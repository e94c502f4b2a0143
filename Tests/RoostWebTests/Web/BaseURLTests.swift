import Testing

@testable import HTTPServer
@testable import RoostWeb

@Suite struct BaseURLTests {
    private func caller(_ host: String?, isSecure: Bool = false) -> ClientAddress {
        let headers = host.map { [("Host", $0)] } ?? []
        guard let request = try? Request(headers: headers, isSecure: isSecure) else {
            fatalError("a plain request")
        }
        return Forwarding().caller(of: request)
    }

    /// Where a machine with these addresses serves, and which links it makes.
    private func base(
        _ listening: String, _ addresses: [String] = [], publicURL: String? = nil, isTLS: Bool = false
    ) throws -> BaseURL {
        let interfaces = try addresses.map {
            LANAddresses.Interface(name: "eth0", address: try #require(NetworkAddress($0)))
        }
        let links = BaseURL(publicURL: publicURL.flatMap { PublicURL($0) }, isTLS: isTLS) { interfaces }
        links.listens(at: listening)
        return links
    }

    @Test func `the public address comes first`() throws {
        let links = try base("0.0.0.0:8080", ["10.0.0.7"], publicURL: "https://roost.example.org")
        let link = links.link(to: "/join/x", for: caller("192.168.1.20:8080"))
        #expect(link == SharedLink(address: "https://roost.example.org/join/x"))
    }

    @Test func `an address by which somebody reached us is good for others`() throws {
        let links = try base("0.0.0.0:8080", ["10.0.0.7"])
        let plain = links.link(to: "/join/x", for: caller("192.168.1.20:8080"))
        #expect(plain == SharedLink(address: "http://192.168.1.20:8080/join/x"))
        let secure = links.link(to: "/join/x", for: caller("roost.local", isSecure: true))
        #expect(secure == SharedLink(address: "https://roost.local/join/x"))
    }

    @Test func `a link made on loopback names an address that others reach, with the port that is bound`()
        throws
    {
        let links = try base("192.168.1.20:43121", isTLS: true)
        let link = links.link(to: "/join/x", for: caller("localhost:43121"))
        #expect(link == SharedLink(address: "https://192.168.1.20:43121/join/x"))
        #expect(links.onTheLAN == ["https://192.168.1.20:43121"])
    }

    @Test(arguments: ["0.0.0.0:8080", "[::]:8080"])
    func `of several addresses the likeliest is the link's, and the others are named`(listening: String)
        throws
    {
        let links = try base(listening, ["127.0.0.1", "192.168.1.20", "10.0.0.7"])
        for asker in [nil, caller("127.0.0.1:8080")] {
            let link = links.link(to: "/setup?code=1", for: asker)
            #expect(link.address == "http://192.168.1.20:8080/setup?code=1")
            #expect(link.others.first == "http://10.0.0.7:8080/setup?code=1")
            #expect(link.obstacle == nil)
        }
    }

    @Test func `every address that a link names is answered`() throws {
        let links = try base("[::]:8080", ["192.168.1.20", "fd00::20", "2001:db8::20"])
        #expect(links.onTheLAN.count >= 3)
        for place in links.onTheLAN {
            #expect(Forwarding().isOurs(String(place.dropFirst("http://".count))), "\(place)")
        }
    }

    @Test func `where others do not reach us the link says so, and what to do`() throws {
        let links = try base("127.0.0.1:8090", ["127.0.0.1", "192.168.1.20"])
        let link = links.link(to: "/join/x", for: caller("localhost:8090"))
        #expect(link.address == "http://localhost:8090/join/x" && link.others.isEmpty)
        #expect(link.obstacle?.contains("Only this computer") == true)
        #expect(link.obstacle?.contains("--listen 0.0.0.0:8090") == true)
        #expect(links.link(to: "/join/x").address == "http://127.0.0.1:8090/join/x")
        #expect(links.onTheLAN.isEmpty)
    }

    @Test func `a public address on loopback is for this machine alone`() throws {
        let link = try base("0.0.0.0:8080", ["10.0.0.7"], publicURL: "http://localhost:8080").link(to: "/x")
        #expect(link.obstacle?.contains("--public-url") == true)
    }
}
