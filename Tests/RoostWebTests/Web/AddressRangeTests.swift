import Testing

@testable import RoostWeb

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1"), ("2001:DB8:0:0::1", "2001:db8::1"), ("::ffff:10.0.0.1", "10.0.0.1"),
        ("::FFFF:0a00:0001", "10.0.0.1"), ("fe80::1%eth0", "fe80::1"), ("::", "::"),
    ])
    func `an address has one way of writing it`(text: String, written: String) throws {
        let address = try #require(NetworkAddress(text))
        #expect("\(address)" == written)
        #expect(NetworkAddress(written) == address)
    }

    @Test(arguments: [
        "", " ", "localhost", "10.0.0", "10.0.0.256", "010.0.0.1", "0x7f.0.0.1", "2130706433", "1.2.3.4 ",
        "1.2.3.4:80", "[::1]", ":::1", "::1::", "1.2.3.4\u{0}", "10.0.0.1/8", "%eth0", "１.2.3.4",
        String(repeating: "1", count: 5_000),
    ])
    func `what is no address is none`(text: String) {
        #expect(NetworkAddress(text) == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.3.4", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("128.0.0.1", false), ("::2", false), ("1::1", false),
    ])
    func `loopback is 127 and ::1`(text: String, isLoopback: Bool) {
        #expect(NetworkAddress(text)?.isLoopback == isLoopback)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("192.168.1.128/25", "192.168.1.200", "192.168.1.127"),
        ("192.168.1.20/24", "192.168.1.77", "192.168.2.20"), ("127.0.0.1", "127.0.0.1", "127.0.0.2"),
        ("::1", "::1", "::2"), ("fd00::/8", "fdff::1", "fe00::1"),
        ("2001:db8::/33", "2001:db8:7fff::", "2001:db8:8000::"),
        ("10.0.0.0/8", "::ffff:10.1.1.1", "::10.1.1.1"), ("::ffff:10.0.0.0/104", "10.9.9.9", "11.9.9.9"),
        ("0.0.0.0/0", "255.255.255.255", "::1"), ("::/0", "ffff::", "1.2.3.4"),
    ])
    func `a range holds what begins alike`(text: String, inside: String, outside: String) throws {
        let range = try #require(AddressRange(text))
        #expect(range.contains(try #require(NetworkAddress(inside))))
        #expect(!range.contains(try #require(NetworkAddress(outside))))
        #expect(AddressRange("\(range)") == range)
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "::1/129",
        "10.0.0.0/8 ", "10.0.0.0/０", "localhost", "10.0.0.0/99999999999999999999", "::ffff:10.0.0.0/8",
        "fe80::1%eth0", "10.0.0.0-10.0.0.9",
    ])
    func `what is no range is none`(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
