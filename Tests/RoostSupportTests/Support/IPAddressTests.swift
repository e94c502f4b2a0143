import Glibc
import Testing

@testable import TextFormats

@Suite struct IPAddressTests {
    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255",
        "127.0.0.1",
        "127.255.255.255", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.8", "192.0.2.1",
        "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.1", "198.19.255.255", "198.51.100.9",
        "203.0.113.255", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255",
    ])
    func `special IPv4 addresses are not public`(text: String) throws {
        #expect(try !#require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
        "128.0.0.0",
        "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
        "192.167.255.255",
        "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
    ])
    func `addresses just outside the special ranges are public`(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "::", "::1", "::2", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::10.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b::169.254.169.254", "64:ff9b:1::8.8.8.8", "64:ff9b::1:0:0", "100::1",
        "2001::1", "2001:0:53aa:64c:0:0:0:1", "2001:2::1", "2001:1ff:ffff::1", "2001:db8::1",
        "2001:db8:ffff::",
        "2002:7f00:1::", "2002:808:808::1", "3fff::1", "3fff:fff:ffff::1", "4000::1", "5f00::1", "fc00::1",
        "fd12:3456::1", "fdff:ffff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ff0e::1", "1fff::1",
    ])
    func `special IPv6 addresses are not public`(text: String) throws {
        #expect(try !#require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2003::1",
        "2606:4700:4700::1111", "2a00:1450:4001::200e", "3ffe:ffff::1", "3fff:1000::1", "64:ff9b::8.8.8.8",
    ])
    func `global unicast is public, and so is NAT64 of a public address`(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "", " ", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "010.0.0.1", "0x7f.0.0.1", "2130706433",
        "1.2.3.4 ", "1.2.3.4:80", "10.0.0.1/8", "1.2.3.4\u{0}", "１.2.3.4", "[::1]", "::g", ":::1", "::1::",
        "fe80::1%eth0", "%eth0", String(repeating: "1", count: 5_000),
    ])
    func `an invalid address is not parsed`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: ["192.0.2.1", "255.0.0.1", "2001:db8::1", "::1", "::", "2001:db8:1:2:3:4:5:6"])
    func `an address is described as it was written`(text: String) {
        #expect(IPAddress(text)?.description == text)
    }

    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("2001:DB8:0:0::1", "2001:db8::1"), ("::ffff:10.0.0.1", "10.0.0.1"),
        ("::FFFF:0a00:0001", "10.0.0.1"), ("fe80::1%eth0", "fe80::1"), ("::", "::"),
        ("fe80::1%\u{301}", "fe80::1"),
    ])
    func `a client's address has one canonical form`(text: String, written: String) throws {
        let address = try #require(IPAddress(client: text))
        #expect("\(address)" == written)
        #expect(IPAddress(client: written) == address)
    }

    @Test(arguments: ["", "localhost", "%eth0", "[::1]", "1.2.3.4:80"])
    func `an invalid client address is not parsed`(text: String) {
        #expect(IPAddress(client: text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.3.4", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("128.0.0.1", false), ("::2", false), ("1::1", false), ("fe80::1", false), ("::ffff:10.0.0.1", false),
    ])
    func `loopback is 127 and ::1`(text: String, isLoopback: Bool) {
        #expect(IPAddress(client: text)?.isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("[::1]", true), ("::1", true), ("127.example.org", false),
        ("[127.0.0.1", false), ("[[::1]]", false), ("10.0.0.1", false), ("", false),
    ])
    func `a loopback host is localhost or a loopback address`(host: String, isLoopback: Bool) {
        #expect(IPAddress.isLoopback(host: host) == isLoopback)
    }

    @Test(arguments: [
        ("10.0.0.1", "0a000001"), ("::1", "00000000000000000000000000000001"),
        ("2001:db8::ff", "20010db80000000000000000000000ff"),
    ])
    func `an address has a fixed number of hexadecimal digits`(text: String, digits: String) {
        #expect(IPAddress(text)?.hexadecimal == digits)
    }

    @Test func `an address is read from a socket address`() {
        var v4 = sockaddr_in()
        v4.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "192.0.2.1", &v4.sin_addr)
        var v6 = sockaddr_in6()
        v6.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, "2001:db8::1", &v6.sin6_addr)
        var local = sockaddr_un()
        local.sun_family = sa_family_t(AF_UNIX)
        #expect(read(&v4)?.description == "192.0.2.1")
        #expect(read(&v6)?.description == "2001:db8::1")
        #expect(read(&local) == nil)
    }

    private func read<Address>(_ address: inout Address) -> IPAddress? {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { IPAddress($0) }
        }
    }
}
