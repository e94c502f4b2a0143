import Testing

@testable import TextFormats

@Suite struct AddressRangeTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("192.168.1.128/25", "192.168.1.200", "192.168.1.127"),
        ("192.168.1.20/24", "192.168.1.77", "192.168.2.20"), ("127.0.0.1", "127.0.0.1", "127.0.0.2"),
        ("::1", "::1", "::2"), ("fd00::/8", "fdff::1", "fe00::1"),
        ("2001:db8::/33", "2001:db8:7fff::", "2001:db8:8000::"),
        ("10.0.0.0/8", "::ffff:10.1.1.1", "::10.1.1.1"), ("::ffff:10.0.0.0/104", "10.9.9.9", "11.9.9.9"),
        ("0.0.0.0/0", "255.255.255.255", "::1"), ("::/0", "ffff::", "1.2.3.4"),
    ])
    func `a range contains addresses with its prefix`(text: String, inside: String, outside: String) throws {
        let range = try #require(AddressRange(text))
        #expect(range.contains(try #require(IPAddress(client: inside))))
        #expect(!range.contains(try #require(IPAddress(client: outside))))
        #expect(AddressRange("\(range)") == range)
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "::1/129",
        "10.0.0.0/8 ", "10.0.0.0/０", "localhost", "10.0.0.0/99999999999999999999", "::ffff:10.0.0.0/8",
        "fe80::1%eth0", "10.0.0.0-10.0.0.9",
    ])
    func `invalid ranges are refused`(text: String) {
        #expect(AddressRange(text) == nil)
    }
}
