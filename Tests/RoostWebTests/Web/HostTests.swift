import Testing

@testable import RoostWeb

/// Host names that an attacker can or cannot point at this server.
@Suite struct HostTests {
    @Test(arguments: [
        "localhost", "LOCALHOST:8080", "localhost.", "a.localhost", "127.0.0.1:8080", "127.1.2.3", "[::1]",
        "[::1]:8080",
    ])
    func `a name of this machine is loopback`(header: String) {
        #expect(Host(header).isLoopback && Host(header).isRebindingSafe)
    }

    @Test(arguments: [
        "192.168.1.20", "255.255.255.255:80", "[fd00::1]:8080", "[FE80::1]", "[fe80::1%eth0]:80",
        "nest.local", "Nest.Local:80",
    ])
    func `addresses and names that public DNS does not resolve are local`(header: String) {
        #expect(Host(header).isRebindingSafe && !Host(header).isLoopback)
    }

    @Test(arguments: [
        "", "evil.example", "localhost.evil.example", "nest.local.evil.example", "127.0.0.1.evil.example",
        "evillocalhost", "evillocal", "local", "256.1.1.1", "1.2.3.999", "1.2.3", "1.2.3.4.5", "1.2.3.",
        ".1.2.3",
        "+1.2.3.4", "1.2.3.4x", "1.2.3.4:123456", "1.2.3.4:8o", "1.2.3.4:80:80", "[::1", "[::1]x",
        "[evil.example]", "127.0.0.1%.evil.example", "127.0.0.1%", "010.0.0.1", "[::1%.evil.example",
        "::1", "fd00::1", "loc\u{E1}lhost", "\u{FF11}.2.3.4",
    ])
    func `other and invalid names are not local`(header: String) {
        #expect(!Host(header).isRebindingSafe && !Host(header).isLoopback)
    }

    @Test(arguments: [
        ("Example.ORG:80", "example.org"), ("example.org.", "example.org"), ("[::1]:80", "::1"), ("a:b", ""),
        ("example.org:", "example.org"),
    ])
    func `a name is read without its port, in lower case`(header: String, name: String) {
        #expect(Host(header).name == name)
    }
}
