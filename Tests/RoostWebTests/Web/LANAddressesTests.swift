import Testing
import TextFormats

@testable import RoostWeb

@Suite struct LANAddressesTests {
    private static func interface(_ name: String, _ text: String) throws -> LANAddresses.Interface {
        LANAddresses.Interface(name: name, address: try #require(IPAddress(text)))
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

    private func authorities(_ address: String, hostName: String = "nas") throws -> [String] {
        LANAddresses.authorities(listening: address, interfaces: try Self.cards, hostName: hostName)
    }

    @Test func `all IPv4 addresses are listed, container bridges last, then the name`() throws {
        #expect(
            try authorities("0.0.0.0:8080")
                == ["192.168.1.20:8080", "10.0.0.7:8080", "172.17.0.1:8080", "nas.local:8080"])
    }

    @Test func `an IPv6 socket is reached over both IPv4 and IPv6`() throws {
        #expect(
            try authorities("[::]:43121") == [
                "192.168.1.20:43121", "10.0.0.7:43121", "[fd00::20]:43121", "[2001:db8::20]:43121",
                "172.17.0.1:43121",
                "nas.local:43121",
            ])
    }

    @Test(arguments: ["127.0.0.1:8080", "[::1]:8080", "", "nonsense", ":80"])
    func `loopback has no address for other machines`(address: String) throws {
        #expect(try authorities(address) == [])
    }

    @Test(arguments: ["192.168.1.20:8080", "[fd00::20]:8080"])
    func `a socket bound to one address has only that one`(address: String) throws {
        #expect(try authorities(address) == [address])
    }

    @Test(arguments: [("nas.home.example", "nas.local:1"), ("NAS", "nas.local:1")])
    func `the local name is the first part of the host's name`(hostName: String, authority: String) throws {
        #expect(try authorities("0.0.0.0:1", hostName: hostName).last == authority)
    }

    @Test(arguments: ["localhost", "", "a b", "10.0.0.7"])
    func `a host without a valid name has no local name`(hostName: String) throws {
        #expect(try authorities("0.0.0.0:1", hostName: hostName).contains { $0.contains("local") } == false)
    }

    @Test func `this machine's own addresses are read`() {
        #expect(LANAddresses.interfaces().contains { $0.address.isLoopback })
    }
}
