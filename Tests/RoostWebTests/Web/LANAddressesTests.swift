import Testing

@testable import RoostWeb

@Suite struct LANAddressesTests {
    private static func interface(_ name: String, _ text: String) throws -> LANAddresses.Interface {
        LANAddresses.Interface(name: name, address: try #require(NetworkAddress(text)))
    }

    private static var cards: [LANAddresses.Interface] {
        get throws {
            try [
                interface("lo", "127.0.0.1"), interface("lo", "::1"), interface("docker0", "172.17.0.1"),
                interface("eth0", "fe80::1"), interface("eth0", "fd00::20"),
                interface("eth0", "2001:db8::20"),
                interface("eth0", "192.168.1.20"), interface("wlan0", "10.0.0.7"),
                interface("wlan0", "169.254.3.4"),
            ]
        }
    }

    private func places(_ address: String, hostName: String = "nas") throws -> [String] {
        LANAddresses.places(listening: address, interfaces: try Self.cards, hostName: hostName)
    }

    @Test func `all IPv4 addresses are named, containers' bridges last, then the name`() throws {
        #expect(
            try places("0.0.0.0:8080")
                == ["192.168.1.20:8080", "10.0.0.7:8080", "172.17.0.1:8080", "nas.local:8080"])
    }

    @Test func `a socket for IPv6 is reached by both`() throws {
        #expect(
            try places("[::]:43121") == [
                "192.168.1.20:43121", "10.0.0.7:43121", "[fd00::20]:43121", "[2001:db8::20]:43121",
                "172.17.0.1:43121",
                "nas.local:43121",
            ])
    }

    @Test(arguments: ["127.0.0.1:8080", "[::1]:8080", "", "nonsense", ":80"])
    func `nobody else reaches loopback`(address: String) throws {
        #expect(try places(address) == [])
    }

    @Test(arguments: ["192.168.1.20:8080", "[fd00::20]:8080"])
    func `one address is the only one`(address: String) throws {
        #expect(try places(address) == [address])
    }

    @Test(arguments: [("nas.home.example", "nas.local:1"), ("NAS", "nas.local:1")])
    func `the local name is the first part of the host's`(hostName: String, place: String) throws {
        #expect(try places("0.0.0.0:1", hostName: hostName).last == place)
    }

    @Test(arguments: ["localhost", "", "a b", "10.0.0.7"])
    func `a host without a name of its own has no local name`(hostName: String) throws {
        #expect(try places("0.0.0.0:1", hostName: hostName).contains { $0.contains("local") } == false)
    }

    @Test func `this machine's own addresses are read`() {
        #expect(LANAddresses.interfaces().contains { $0.address.isLoopback })
    }
}
