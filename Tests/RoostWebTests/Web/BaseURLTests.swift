import HTTPServer
import RoostWeb
import Testing

@Suite struct BaseURLTests {
    private func caller(_ host: String?, isSecure: Bool = false) -> ClientAddress {
        let headers = host.map { [("Host", $0)] } ?? []
        guard let request = try? Request(headers: headers, isSecure: isSecure) else {
            fatalError("a plain request")
        }
        return Forwarding().caller(of: request)
    }

    @Test func `the public address comes first`() {
        let links = BaseURL(publicURL: PublicURL("https://roost.example.org"))
        links.listens(at: "0.0.0.0:8080")
        #expect(links.base(for: caller("192.168.1.20:8080")) == "https://roost.example.org")
    }

    @Test func `an address by which somebody reached us is good for others`() {
        let links = BaseURL()
        links.listens(at: "0.0.0.0:8080")
        #expect(links.base(for: caller("192.168.1.20:8080")) == "http://192.168.1.20:8080")
        #expect(links.base(for: caller("roost.local", isSecure: true)) == "https://roost.local")
    }

    @Test func `a link made on loopback names an address that others reach, with the port that is bound`() {
        let links = BaseURL(isTLS: true)
        links.listens(at: "192.168.1.20:43121")
        #expect(links.base(for: caller("localhost:43121")) == "https://192.168.1.20:43121")
        #expect(links.onTheLAN == ["https://192.168.1.20:43121"])
    }

    @Test func `where nobody else reaches us the link is for this machine`() {
        let links = BaseURL()
        links.listens(at: "127.0.0.1:8080")
        #expect(links.base(for: caller("localhost:8080")) == "http://localhost:8080")
        #expect(links.base(for: caller(nil)) == "http://localhost")
        #expect(links.onTheLAN.isEmpty)
    }
}
