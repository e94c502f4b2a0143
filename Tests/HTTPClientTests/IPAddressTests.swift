import Testing

@testable import HTTPClient

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
    func `their neighbours are public`(text: String) throws {
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
    func `global unicast is public, and NAT64 of a public address`(text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "0x7f.0.0.1", "256.1.1.1", "fe80::1%eth0", "[::1]", "localhost", "::g",
    ])
    func `what is not an address is none`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: ["192.0.2.1", "255.0.0.1", "2001:db8::1", "::1", "::", "2001:db8:1:2:3:4:5:6"])
    func `an address is described as it is written`(text: String) {
        #expect(IPAddress(text)?.description == text)
    }
}
