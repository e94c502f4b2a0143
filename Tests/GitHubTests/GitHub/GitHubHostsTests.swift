import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// Names of GitHub hosts, and the API addresses that they lead to.
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
    func `the standard host follows from the configured addresses`(
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
    func `the operator's hosts are trusted`(setting: String, name: String, apiURL: String) throws {
        let host = try hosts.host(named: setting)
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
    func `any other host is asked over TLS and at public addresses only`(
        name: String, apiURL: String, graphQLURL: String
    ) throws {
        let host = try hosts.host(named: name)
        #expect(host.apiURL == apiURL)
        #expect(host.graphQLURL == graphQLURL)
        #expect(!host.isTrusted)
    }

    @Test func `github.com can be used next to another standard host`() throws {
        let hosts = GitHubHosts(webURL: "https://git.example.org")
        let host = try hosts.host(named: "github.com")
        #expect(host.apiURL == "https://api.github.com")
        #expect(!host.isTrusted)
        #expect(try hosts.host(named: nil).name == "git.example.org")
        #expect(hosts.configured.map(\.name) == ["git.example.org"])
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
    func `an invalid host name is refused at its field`(name: String) {
        let field = #expect(throws: RoostError.self) { try hosts.host(named: name) }?.field
        #expect(field == "host")
    }

    @Test(arguments: [
        ("https://api.github.com", true), ("http://127.0.0.1:1/api/v3", true), ("api.github.com", false),
        ("ftp://x.example.org", false), ("https://ada:b@x.example.org", false), ("https://x.org/?q", false),
        ("https://", false), ("https://x.org/ y", false),
    ])
    func `an operator's address is validated`(text: String, isAddress: Bool) {
        #expect(GitHubHosts.isAddress(text) == isAddress)
    }
}
