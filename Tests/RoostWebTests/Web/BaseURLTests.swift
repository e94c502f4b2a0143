import Testing
import TextFormats

@testable import HTTPServer
@testable import RoostWeb

@Suite struct BaseURLTests {
    private func caller(_ host: String?, isSecure: Bool = false) -> ClientAddress {
        let headers = host.map { [("Host", $0)] } ?? []
        guard let request = try? Request(headers: headers, isSecure: isSecure) else {
            fatalError("invalid request")
        }
        return Forwarding().caller(of: request)
    }

    /// The links of a machine with these addresses.
    private func base(
        _ listening: String, _ addresses: [String] = [], publicURL: String? = nil, isTLS: Bool = false
    ) throws -> BaseURL {
        let interfaces = try addresses.map {
            LANAddresses.Interface(name: "eth0", address: try #require(IPAddress($0)))
        }
        let links = BaseURL(publicURL: publicURL.flatMap { PublicURL($0) }, isTLS: isTLS) { interfaces }
        links.setListeningAddress(listening)
        return links
    }

    @Test func `the public address takes precedence`() throws {
        let links = try base("0.0.0.0:8080", ["10.0.0.7"], publicURL: "https://roost.example.org")
        let link = links.link(to: "/join/x", for: caller("192.168.1.20:8080"))
        #expect(link == SharedLink(address: "https://roost.example.org/join/x"))
    }

    @Test func `an address through which a client reached Roost is used for links`() throws {
        let links = try base("0.0.0.0:8080", ["10.0.0.7"])
        let plain = links.link(to: "/join/x", for: caller("192.168.1.20:8080"))
        #expect(plain == SharedLink(address: "http://192.168.1.20:8080/join/x"))
        let secure = links.link(to: "/join/x", for: caller("roost.local", isSecure: true))
        #expect(secure == SharedLink(address: "https://roost.local/join/x"))
    }

    @Test func `a link created on loopback has a reachable address with the bound port`()
        throws
    {
        let links = try base("192.168.1.20:43121", isTLS: true)
        let link = links.link(to: "/join/x", for: caller("localhost:43121"))
        #expect(link == SharedLink(address: "https://192.168.1.20:43121/join/x"))
        #expect(links.lanURLs == ["https://192.168.1.20:43121"])
    }

    @Test(arguments: ["0.0.0.0:8080", "[::]:8080"])
    func `the most likely of several addresses is the link's, and the others are listed`(listening: String)
        throws
    {
        let links = try base(listening, ["127.0.0.1", "192.168.1.20", "10.0.0.7"])
        for asker in [nil, caller("127.0.0.1:8080")] {
            let link = links.link(to: "/setup?code=1", for: asker)
            #expect(link.address == "http://192.168.1.20:8080/setup?code=1")
            #expect(link.alternatives.first == "http://10.0.0.7:8080/setup?code=1")
            #expect(link.obstacle == nil)
        }
    }

    @Test func `every address in a link is answered`() throws {
        let links = try base("[::]:8080", ["192.168.1.20", "fd00::20", "2001:db8::20"])
        #expect(links.lanURLs.count >= 3)
        for url in links.lanURLs {
            #expect(Forwarding().isRebindingSafe(String(url.dropFirst("http://".count))), "\(url)")
        }
    }

    @Test func `if others cannot reach Roost the link says so, and what to do`() throws {
        let links = try base("127.0.0.1:8090", ["127.0.0.1", "192.168.1.20"])
        let link = links.link(to: "/join/x", for: caller("localhost:8090"))
        #expect(link.address == "http://localhost:8090/join/x" && link.alternatives.isEmpty)
        #expect(link.obstacle?.contains("Only this computer") == true)
        #expect(link.obstacle?.contains("--listen 0.0.0.0:8090") == true)
        #expect(links.link(to: "/join/x").address == "http://127.0.0.1:8090/join/x")
        #expect(links.lanURLs.isEmpty)
    }

    @Test func `a public address on loopback is for this machine only`() throws {
        let link = try base("0.0.0.0:8080", ["10.0.0.7"], publicURL: "http://localhost:8080").link(to: "/x")
        #expect(link.obstacle?.contains("--public-url") == true)
    }
}
