import Foundation
import Testing

@testable import HTTPClient
@testable import HTTPServer
@testable import RoostSupport
@testable import roost

/// Flags, environment and file, combined and separately.
@Suite struct SettingsTests {
    @Test func `without any settings Roost listens on loopback and uses no CoinGecko key`() async throws {
        let settings = try await settings()
        #expect(settings.listen == "127.0.0.1:8080")
        #expect(settings.coinGeckoPlan == .keyless)
        #expect(settings.coinGeckoURL == nil)
        #expect(settings.currency == "usd")
        #expect(settings.priceInterval == nil)
        #expect(settings.connectionLimit == 12_000)
        #expect(settings.chatBurst == 300 && settings.chatRate == 20)
        #expect(settings.threads == 2)
        #expect(settings.logLevel == .info)
        #expect(!settings.logsJSON)
        #expect(settings.accessLog == nil)
        #expect(settings.assetsFolder == TestFiles.root)
    }

    @Test func `without any settings backups are made at 3 into the data folder`() async throws {
        let backups = try #require(try await settings(["data": "/srv/roost"]).backups)
        #expect(backups.folder == "/srv/roost/backups" && backups.hour == 3)
        #expect(backups.retention == BackupRetention(daily: 7, weekly: 4, monthly: 12))
        let others = try await settings([
            "backup-folder": "/mnt/copies", "backup-hour": "0", "backup-daily": "1", "backup-weekly": "0",
            "backup-monthly": "24",
        ])
        #expect(
            others.backups
                == .init(
                    folder: "/mnt/copies", retention: .init(daily: 1, weekly: 0, monthly: 24), hour: 0))
        #expect(try await settings(["backup-folder": "off"]).backups == nil)
    }

    @Test(arguments: ["8081", ":8081"])
    func `a port alone listens on loopback`(_ text: String) async throws {
        #expect(try await settings(["listen": text]).listen == "127.0.0.1:8081")
    }

    @Test func `an error of listening names the setting for another address`() async {
        await #expect(
            throws: SettingsError(
                """
                Cannot listen on 127.0.0.1:8080: another program is already listening there. Choose another address \
                with --listen, such as --listen 8081.
                """)
        ) {
            try await SettingsError.convertingErrors { throw ServerError.addressInUse("127.0.0.1:8080") }
        }
    }

    @Test func `a settings file may have comments and a comma after its last value`() async throws {
        let file = try TestFiles.temporary(
            """
            // Settings
            {
                "currency": "chf", // of prices
                /* "threads": 9, */
                "price-interval": 90,
            }
            """)
        defer { TestFiles.remove(file) }
        let settings = try await settings(["config": file])
        #expect(settings.currency == "chf")
        #expect(settings.priceInterval == 90)
        #expect(settings.threads == 2)
    }

    @Test(arguments: ["true", "null", "[1]", "1.5"])
    func `a value that is neither a string nor a whole number is refused`(_ value: String) async throws {
        let file = try TestFiles.temporary(#"{"currency": "chf", "threads": \#(value)}"#)
        defer { TestFiles.remove(file) }
        let error = await #expect(throws: SettingsError.self) { try await settings(["config": file]) }
        #expect(error?.description.contains("“threads” in the settings file") == true)
    }

    @Test func `the package's settings file has every value that it shows`() async throws {
        let path = TestFiles.root + "/Sources/Packaging/roost.json"
        let shown = try await settings(["config": path])
        #expect(shown.listen == "127.0.0.1:8080")
        #expect(shown.dataFolder == "/var/lib/roost")
        // All suggestions switched on.
        let text = try TestFiles.text(path)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let all = lines.map { line in
            line.hasPrefix("    // \"") ? "    " + line.dropFirst(7) : String(line)
        }
        let file = try TestFiles.temporary(all.joined(separator: "\n"))
        defer { TestFiles.remove(file) }
        let source = try await SettingsSource(flags: ["config": file], environment: [:])
        #expect(source.text(.publicURL) == "https://roost.example.org")
        #expect(source.text(.accessLog) == "/var/log/roost/access.log")
    }

    @Test func `a flag wins over the environment, and the environment over the file`() async throws {
        let file = try TestFiles.temporary(#"{"threads": 5, "currency": "chf", "listen": "127.0.0.1:3"}"#)
        defer { TestFiles.remove(file) }
        let settings = try await settings(
            ["config": file, "listen": "127.0.0.1:1"],
            ["ROOST_LISTEN": "127.0.0.1:2", "ROOST_CURRENCY": "eur"])
        #expect(settings.listen == "127.0.0.1:1")
        #expect(settings.currency == "eur")
        #expect(settings.threads == 5)
    }

    @Test(arguments: Setting.all.filter { $0 != .config && $0 != .assets })
    func `every setting is read from its flag, its variable and its key`(_ setting: Setting) async throws {
        let file = try TestFiles.temporary(#"{"\#(setting.name)": "17"}"#)
        defer { TestFiles.remove(file) }
        let flag = try await SettingsSource(flags: [setting.name: "17"], environment: [:])
        let variable = try await SettingsSource(flags: [:], environment: [setting.variable: "17"])
        let key = try await SettingsSource(flags: ["config": file], environment: [:])
        for source in [flag, variable, key] { #expect(source.text(setting) == "17") }
    }

    @Test func `a variable may name the settings file`() async throws {
        let file = try TestFiles.temporary(#"{"currency": "GBP"}"#)
        defer { TestFiles.remove(file) }
        #expect(try await settings([:], ["ROOST_CONFIG": file]).currency == "gbp")
    }

    @Test func `a number in the file is read as a number`() async throws {
        let file = try TestFiles.temporary(#"{"price-interval": 90, "connection-limit": "500"}"#)
        defer { TestFiles.remove(file) }
        let settings = try await settings(["config": file])
        #expect(settings.priceInterval == 90)
        #expect(settings.connectionLimit == 500)
    }

    @Test func `an empty variable is ignored`() async throws {
        #expect(try await settings([:], ["ROOST_LISTEN": ""]).listen == "127.0.0.1:8080")
    }

    @Test func `a key selects the Demo plan unless another plan is named`() async throws {
        #expect(try await settings(["coingecko-api-key": "CG-x"]).coinGeckoPlan == .demo)
        let paid = try await settings(["coingecko-api-key": "CG-x", "coingecko-plan": "paid"])
        #expect(paid.coinGeckoPlan == .paid)
        #expect(paid.coinGeckoKey == "CG-x")
    }

    @Test func `certificate, public address and proxies are read`() async throws {
        let settings = try await settings([
            "tls-certificate": "cert.pem", "tls-key": "key.pem", "public-url": "https://roost.example.org/",
            "trusted-proxy": "127.0.0.1, ::1,10.0.0.0/8",
        ])
        #expect(settings.tls?.certificate == "cert.pem")
        #expect(settings.tls?.key == "key.pem")
        #expect(settings.publicURL?.origin == "https://roost.example.org")
        #expect(settings.trustedProxies.map(\.description) == ["127.0.0.1", "::1", "10.0.0.0/8"])
    }

    @Test func `a command-line link has the public address, or says that it is for this machine`()
        async throws
    {
        let open = try await settings(["public-url": "https://roost.example.org"]).link(to: "/reset/x")
        #expect(open.address == "https://roost.example.org/reset/x" && open.obstacle == nil)
        let local = try await settings(["listen": "127.0.0.1:8090"]).link(to: "/reset/x")
        #expect(local.address == "http://127.0.0.1:8090/reset/x")
        #expect(local.obstacle?.contains("--listen 0.0.0.0:8090") == true)
    }

    @Test func `GitHub's addresses, hosts and app are read`() async throws {
        let standard = try await settings().gitHub
        #expect(standard.hosts.configured.map(\.apiURL) == ["https://api.github.com"])
        #expect(standard.clientID == nil)
        let gitHub = try await settings([
            "github-api-url": "http://127.0.0.1:8090/api/v3/",
            "github-hosts": "git.example.org, http://10.0.0.7",
            "github-client-id": "Iv1.x", "github-client-secret": "verySecret",
        ]).gitHub
        #expect(gitHub.hosts.standard.webURL == "http://127.0.0.1:8090")
        #expect(gitHub.hosts.configured.map(\.name) == ["github.com", "git.example.org", "10.0.0.7"])
        #expect(gitHub.clientID == "Iv1.x")
        #expect(gitHub.clientSecret == "verySecret")
    }

    @Test func `a shared GitHub token is read, without surrounding spaces`() async throws {
        #expect(try await settings().gitHub.token == nil)
        let token = try await settings(["github-token": " ghp_0123456789abcdef\n"]).gitHub.token
        #expect(token?.value == "ghp_0123456789abcdef")
        #expect(token?.scopes == [])
    }

    @Test(arguments: [
        "ghp_", "Bearer ghp_0123456789", "ghp_01234\u{E9}6789", String(repeating: "x", count: 513), " ",
    ])
    func `an invalid token is refused, and not repeated in the message`(text: String) async throws {
        await #expect(
            throws: SettingsError(
                "--github-token takes a GitHub token, such as ghp_... or github_pat_...."
            )
        ) { try await settings(["github-token": text]) }
    }

    @Test func `printing the GitHub configuration does not reveal its secret`() async throws {
        let flags = [
            "github-client-id": "Iv1.x", "github-client-secret": "verySecret",
            "github-token": "ghp_verySecretToo",
        ]
        let settings = try await settings(flags)
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(settings.gitHub)", "\(settings)", dumped] {
            #expect(!text.contains("verySecret"))
        }
    }

    @Test func `chat limits are settings`() async throws {
        let settings = try await settings(["chat-burst": "17", "chat-rate": "5"])
        #expect(settings.chatBurst == 17 && settings.chatRate == 5)
    }

    @Test func `hosts of articles are read, and invalid ones refused`() async throws {
        let hosts = try await settings([
            "article-hosts": "www.example.org=127.0.0.1:8081, Bücher.example=[::1]:80"
        ]).articleHosts
        #expect(hosts["www.example.org"] == HostTarget("127.0.0.1:8081"))
        #expect(hosts["xn--bcher-kva.example"] == HostTarget("[::1]:80"))
        #expect(hosts.count == 2)
        #expect(try await settings().articleHosts.isEmpty)
    }

    @Test func `the model for gists is read, and printing it does not reveal its key`()
        async throws
    {
        let settings = try await settings([
            "gist-api-url": "http://127.0.0.1:11434/v1", "gist-model": "small", "gist-api-key": "verySecret",
        ])
        let model = try #require(settings.gistModel)
        #expect(
            model.url == "http://127.0.0.1:11434/v1" && model.model == "small" && model.key == "verySecret")
        var dumped = ""
        dump(settings, to: &dumped)
        for text in ["\(model)", "\(settings)", dumped] { #expect(!text.contains("verySecret")) }
    }

    @Test func `the access log is off by default`() async throws {
        #expect(try await settings(["access-log": "off"]).accessLog == nil)
        #expect(try await settings(["access-log": "-"]).accessLog == "-")
    }

    @Test(arguments: [
        ("threads", "0", "--threads takes a whole number from 1 to 64, not “0”."),
        ("threads", "two", "--threads takes a whole number from 1 to 64, not “two”."),
        ("price-interval", "0.5", "--price-interval takes a whole number from 1 to 86400, not “0.5”."),
        ("chat-burst", "0", "--chat-burst takes a whole number from 1 to 1000000, not “0”."),
        ("chat-rate", "many", "--chat-rate takes a whole number from 1 to 1000000, not “many”."),
        ("connection-limit", "9", "--connection-limit takes a whole number from 10 to 1000000, not “9”."),
        ("log-format", "xml", "--log-format takes text, json, not “xml”."),
        ("coingecko-plan", "free", "--coingecko-plan takes keyless, demo, paid, not “free”."),
        ("coingecko-plan", "demo", "--coingecko-plan demo needs --coingecko-api-key."),
        ("currency", "us$", "--currency takes a short name such as usd or eur, not “us$”."),
        (
            "coingecko-api-url", "ftp://x",
            "--coingecko-api-url takes an address that starts with https:// or http://."
        ),
        (
            "github-api-url", "api.github.com",
            "--github-api-url takes an address that starts with https:// or http://."
        ),
        (
            "github-url", "https://ada@git.example.org",
            "--github-url takes an address that starts with https:// or http://."
        ),
        (
            "github-hosts", "git.example.org, git.example.org/api",
            "--github-hosts takes names such as git.example.org, not “git.example.org/api”."
        ),
        ("github-client-secret", "s", "--github-client-secret needs --github-client-id."),
        ("tls-key", "key.pem", "--tls-key needs --tls-certificate."),
        ("tls-certificate", "cert.pem", "--tls-certificate needs --tls-key."),
        (
            "public-url", "roost.example.org",
            "--public-url takes an address such as https://roost.example.org, without a path, not “roost.example.org”."
        ),
        (
            "host-names", "nas,nas:8080",
            "--host-names takes names such as nas and nas.home.arpa, without a port, not “nas:8080”."
        ),
        (
            "trusted-proxy", "127.0.0.1,nginx",
            "--trusted-proxy takes addresses or ranges such as 127.0.0.1 and 10.0.0.0/8, not “nginx”."
        ),
        (
            "article-hosts", "www.example.org",
            "--article-hosts takes hosts and their addresses, such as www.example.org=127.0.0.1:8081, not “www.example.org”."
        ),
        ("gist-api-url", "http://127.0.0.1/v1", "--gist-api-url needs --gist-model."),
        ("gist-model", "small", "--gist-api-key and --gist-model need --gist-api-url."),
        ("assets", "/proc", "--assets /proc has no folder Public."),
    ])
    func `an invalid setting is refused with its flag's name`(
        _ name: String, _ value: String, _ message: String
    )
        async throws
    {
        await #expect(throws: SettingsError(message)) { try await settings([name: value]) }
    }

    @Test func `an unreadable settings file, or one that is not an object, is refused with a message`()
        async throws
    {
        let list = try TestFiles.temporary("[1]")
        defer { TestFiles.remove(list) }
        await #expect(throws: SettingsError("The settings file /no/such cannot be read.")) {
            try await settings(["config": "/no/such"])
        }
        await #expect(throws: SettingsError("The settings file \(list) is not a JSON object.")) {
            try await settings(["config": list])
        }
    }

    @Test(arguments: ["thread", "config", "Listen"])
    func `a settings file with an unknown setting is refused`(_ key: String) async throws {
        let file = try TestFiles.temporary(#"{"\#(key)": "1"}"#)
        defer { TestFiles.remove(file) }
        let message = "The settings file \(file) has the unknown setting “\(key)”."
        await #expect(throws: SettingsError(message)) { try await settings(["config": file]) }
    }

    @Test func `no error message contains the key`() async throws {
        let flags = ["coingecko-api-key": "CG-secret", "coingecko-plan": "CG-plan"]
        let error = await #expect(throws: SettingsError.self) { try await settings(flags) }
        #expect(error?.description.contains("CG-secret") == false)
    }

    private func settings(_ flags: [String: String] = [:], _ environment: [String: String] = [:])
        async throws -> Settings
    {
        var flags = flags
        if flags["assets"] == nil { flags["assets"] = TestFiles.root }
        return try Settings(await SettingsSource(flags: flags, environment: environment))
    }
}
