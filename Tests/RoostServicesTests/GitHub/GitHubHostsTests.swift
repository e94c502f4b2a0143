import Testing

@testable import GitHub
@testable import RoostSupport

/// What users and operators call a GitHub, and where it is asked.
@Suite struct GitHubHostsTests {
    @Test(
        arguments: [
            (
                nil, nil, "github.com", "https://api.github.com", "https://api.github.com/graphql",
                "https://github.com"
            ),
            (
                "https://git.example.org/api/v3/", nil, "git.example.org", "https://git.example.org/api/v3",
                "https://git.example.org/api/graphql", "https://git.example.org"
            ),
            (
                nil, "https://Git.Example.org:8443/", "git.example.org:8443",
                "https://git.example.org:8443/api/v3", "https://git.example.org:8443/api/graphql",
                "https://Git.Example.org:8443"
            ),
            (
                "https://api.octocorp.ghe.com", nil, "octocorp.ghe.com", "https://api.octocorp.ghe.com",
                "https://api.octocorp.ghe.com/graphql", "https://octocorp.ghe.com"
            ),
            (
                nil, "https://octocorp.ghe.com", "octocorp.ghe.com", "https://api.octocorp.ghe.com",
                "https://api.octocorp.ghe.com/graphql", "https://octocorp.ghe.com"
            ),
            (
                "http://127.0.0.1:8093/api/v3", "http://127.0.0.1:8093", "github.com",
                "http://127.0.0.1:8093/api/v3", "http://127.0.0.1:8093/api/graphql", "http://127.0.0.1:8093"
            ),
            (
                "http://127.0.0.1:8093", nil, "github.com", "http://127.0.0.1:8093",
                "http://127.0.0.1:8093/graphql", "https://github.com"
            ),
        ] as [(String?, String?, String, String, String, String)])
    func `the standard host follows from the addresses that are set`(
        api: String?, web: String?, name: String, apiURL: String, graphQLURL: String, webURL: String
    ) {
        let host = GitHubHosts(apiURL: api, webURL: web).standard
        #expect(
            host
                == GitHubHost(
                    name: name, apiURL: apiURL, graphQLURL: graphQLURL, webURL: webURL, isTrusted: true))
    }

    private let hosts = GitHubHosts(
        apiURL: "http://127.0.0.1:8093/api/v3", enterprise: ["Git.example.org", "http://10.0.0.7:81"])

    @Test(arguments: [
        nil, "", " ", "github.com", "GitHub.COM", "https://github.com/", "127.0.0.1:8093",
        "http://127.0.0.1:8093/",
    ])
    func `the standard host has many names`(name: String?) throws {
        #expect(try hosts.host(named: name) == hosts.standard)
    }

    @Test(arguments: [
        ("git.example.org", "git.example.org", "https://git.example.org/api/v3"),
        ("https://GIT.example.org//", "git.example.org", "https://git.example.org/api/v3"),
        ("10.0.0.7:81", "10.0.0.7:81", "http://10.0.0.7:81/api/v3"),
    ])
    func `the operator's hosts are trusted`(word: String, name: String, apiURL: String) throws {
        let host = try hosts.host(named: word)
        #expect(host.name == name)
        #expect(host.apiURL == apiURL)
        #expect(host.isTrusted)
    }

    @Test(arguments: [
        ("code.example.com", "https://code.example.com/api/v3", "https://code.example.com/api/graphql"),
        (
            "https://code.example.com/", "https://code.example.com/api/v3",
            "https://code.example.com/api/graphql"
        ),
        ("octocorp.ghe.com", "https://api.octocorp.ghe.com", "https://api.octocorp.ghe.com/graphql"),
    ])
    func `any other name is asked over TLS and at public addresses only`(
        word: String, apiURL: String, graphQLURL: String
    ) throws {
        let host = try hosts.host(named: word)
        #expect(host.apiURL == apiURL)
        #expect(host.graphQLURL == graphQLURL)
        #expect(!host.isTrusted)
    }

    @Test func `github.com is itself beside another standard`() throws {
        let hosts = GitHubHosts(webURL: "https://git.example.org")
        let host = try hosts.host(named: "github.com")
        #expect(host.apiURL == "https://api.github.com")
        #expect(!host.isTrusted)
        #expect(try hosts.host(named: nil).name == "git.example.org")
        #expect(hosts.known.map(\.name) == ["git.example.org"])
    }

    @Test(arguments: [
        "localhost", "192.168.1.1", "127.0.0.1", "[::1]", "2130706433", "0x7f.1", "http://code.example.com",
        "http://git.example.org", "code.example.com:22", "code.example.com/api", "ada@code.example.com",
        "https://github.com@evil.example", "code..example.com", "-a.example.com", "a-.example.com",
        "exämple.com",
        "code.example.com\nx", "javascript:alert(1)", "file:///etc/passwd", "https://", ".", "a.1",
        String(repeating: "a", count: 64) + ".example.com", String(repeating: "a.", count: 200) + "com",
        "http://10.0.0.7", "https://10.0.0.7:81",
    ])
    func `what is no name of a host is refused at its field`(word: String) {
        let field = #expect(throws: RoostError.self) { try hosts.host(named: word) }?.field
        #expect(field == "host")
    }

    @Test(arguments: [
        ("https://api.github.com", true), ("http://127.0.0.1:1/api/v3", true), ("api.github.com", false),
        ("ftp://x.example.org", false), ("https://ada:b@x.example.org", false), ("https://x.org/?q", false),
        ("https://", false), ("https://x.org/ y", false),
    ])
    func `an operator's address is told from what is none`(text: String, isAddress: Bool) {
        #expect(GitHubHosts.isAddress(text) == isAddress)
    }
}
