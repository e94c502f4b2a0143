import Foundation
import GitHub
import HTTPClient
import HTTPServer
import Logging
import Market
import Reading
import RoostServices
import RoostSupport
import RoostWeb
import TextFormats

/// All settings, parsed and validated.
struct Settings: Sendable {
    var listen: String
    var tls: WebServer.TLSFiles?
    var publicURL: PublicURL?
    var hostNames: Set<String> = []
    var trustedProxies: [AddressRange]
    var dataFolder: String
    var keyFile: String?
    var backups: DatabaseBackups.Configuration?
    var assetsFolder: String
    var coinGeckoURL: String?
    var coinGeckoKey: String?
    var coinGeckoPlan: CoinGeckoPlan
    var currency: String
    var priceInterval: Int?
    var gitHub: GitHubConfiguration
    var chatBurst: Int
    var chatRate: Int
    var articleHosts: [String: HostTarget]
    var gistModel: GistModelConfiguration?
    var articlePictures = ArticlePictureLimits()
    var connectionLimit: Int
    var threads: Int
    var logLevel: Logger.Level
    var logsJSON: Bool
    var accessLog: String?
    /// Values to redact from the log.
    let secrets = SecretRedactor()
    /// Filled by the log, and shown on the status page.
    let recentErrors = RecentErrors()

    /// - Throws: `SettingsError` with the name of the wrong flag.
    init(_ source: SettingsSource) throws {
        listen = ListenAddress.completed(source.text(.listen) ?? "8080")
        tls = try Self.tls(source)
        publicURL = try Self.publicURL(source)
        hostNames = try Self.hostNames(source)
        trustedProxies = try Self.trustedProxies(source)
        dataFolder = source.text(.data) ?? Folders.data()
        keyFile = source.text(.keyFile)
        backups = try Self.backups(source, dataFolder: dataFolder)
        assetsFolder = try Folders.assets(requested: source.text(.assets))
        coinGeckoURL = source.text(.coinGeckoURL)
        coinGeckoKey = source.text(.coinGeckoKey)
        coinGeckoPlan = try Self.plan(source)
        currency = (source.text(.currency) ?? "usd").lowercased()
        priceInterval = try source.number(.priceInterval, in: 1...86_400)
        gitHub = try Self.gitHub(source)
        chatBurst = try source.number(.chatBurst, in: 1...1_000_000) ?? 300
        chatRate = try source.number(.chatRate, in: 1...1_000_000) ?? 20
        articleHosts = try Self.articleHosts(source)
        gistModel = try Self.gistModel(source)
        articlePictures.count = try source.number(.articlePictures, in: 0...200) ?? articlePictures.count
        articlePictures.bytes =
            try source.number(.articlePictureMegabytes, in: 1...200).map { $0 << 20 } ?? articlePictures.bytes
        connectionLimit = try source.number(.connectionLimit, in: 10...1_000_000) ?? 12_000
        threads = try source.number(.threads, in: 1...64) ?? 2
        let levels = Logger.Level.allCases.map(\.rawValue)
        logLevel = try source.choice(.logLevel, of: levels).flatMap { Logger.Level(rawValue: $0) } ?? .info
        logsJSON = try source.choice(.logFormat, of: ["text", "json"]) == "json"
        accessLog = source.text(.accessLog).flatMap { $0 == "off" ? nil : $0 }
        guard (2...10).contains(currency.count), currency.allSatisfy({ $0.isASCII && $0.isLetter }) else {
            throw SettingsError("--currency takes a short name such as usd or eur, not “\(currency)”.")
        }
        if let url = coinGeckoURL, !url.hasPrefix("http://"), !url.hasPrefix("https://") {
            throw SettingsError("--coingecko-api-url takes an address that starts with https:// or http://.")
        }
    }

    private static func tls(_ source: SettingsSource) throws -> WebServer.TLSFiles? {
        switch (source.text(.tlsCertificate), source.text(.tlsKey)) {
        case (let certificate?, let key?): return WebServer.TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        case (nil, _): throw SettingsError("--tls-key needs --tls-certificate.")
        case (_, nil): throw SettingsError("--tls-certificate needs --tls-key.")
        }
    }

    private static func backups(
        _ source: SettingsSource, dataFolder: String
    ) throws -> DatabaseBackups.Configuration? {
        let retention = BackupRetention(
            daily: try source.number(.backupDaily, in: 1...1_000) ?? 7,
            weekly: try source.number(.backupWeekly, in: 0...1_000) ?? 4,
            monthly: try source.number(.backupMonthly, in: 0...1_000) ?? 12)
        let hour = try source.number(.backupHour, in: 0...23) ?? 3
        let folder = source.text(.backupFolder) ?? dataFolder + "/backups"
        guard folder != "off" else { return nil }
        return DatabaseBackups.Configuration(folder: folder, retention: retention, hour: hour)
    }

    private static func publicURL(_ source: SettingsSource) throws -> PublicURL? {
        guard let text = source.text(.publicURL) else { return nil }
        guard let url = PublicURL(text) else {
            throw SettingsError(
                "--public-url takes an address such as https://roost.example.org, without a path, not “\(text)”."
            )
        }
        return url
    }

    private static func hostNames(_ source: SettingsSource) throws -> Set<String> {
        let items = source.text(.hostNames)?.splitBytes(at: ",", omittingEmptySubsequences: false) ?? []
        return Set(
            try items.map { item in
                let text = String(item.filter { $0 != " " })
                // Only a name: an address has a port, a path or a scheme.
                guard let url = PublicURL("http://" + text), url.authority == text.lowercased(),
                    url.host == url.authority, !text.utf8.contains(UInt8(ascii: ":"))
                else {
                    throw SettingsError(
                        "--host-names takes names such as nas and nas.home.arpa, without a port, not “\(text)”."
                    )
                }
                return url.host
            })
    }

    private static func trustedProxies(_ source: SettingsSource) throws -> [AddressRange] {
        let items = source.text(.trustedProxy)?.splitBytes(at: ",", omittingEmptySubsequences: false) ?? []
        return try items.map { item in
            let text = String(item.filter { $0 != " " })
            guard let range = AddressRange(text) else {
                throw SettingsError(
                    "--trusted-proxy takes addresses or ranges such as 127.0.0.1 and 10.0.0.0/8, not “\(text)”."
                )
            }
            return range
        }
    }

    private static func articleHosts(_ source: SettingsSource) throws -> [String: HostTarget] {
        var hosts: [String: HostTarget] = [:]
        for item in (source.text(.articleHosts) ?? "").splitBytes(at: ",") {
            let text = String(item.filter { $0 != " " })
            let parts = text.splitBytes(at: "=", maxSplits: 1).map { String($0) }
            guard parts.count == 2, let target = HostTarget(parts[1]),
                let address = try? ArticleAddress(parts[0]),
                address.text == "https://\(address.host)/"
            else {
                throw SettingsError(
                    "--article-hosts takes hosts and their addresses, such as www.example.org=127.0.0.1:8081, not “\(text)”."
                )
            }
            hosts[address.host] = target
        }
        return hosts
    }

    /// Errors contain neither URL nor key, because users may swap them by mistake.
    private static func gistModel(_ source: SettingsSource) throws -> GistModelConfiguration? {
        let (url, key, model) = (source.text(.gistAPIURL), source.text(.gistAPIKey), source.text(.gistModel))
        guard let url else {
            guard key == nil, model == nil else {
                throw SettingsError("--gist-api-key and --gist-model need --gist-api-url.")
            }
            return nil
        }
        guard url.hasPrefix("http://") || url.hasPrefix("https://"), !url.containsBytes("@") else {
            throw SettingsError("--gist-api-url takes an address that starts with https:// or http://.")
        }
        guard let model else { throw SettingsError("--gist-api-url needs --gist-model.") }
        let isHeader = key?.utf8.allSatisfy { (0x21...0x7E).contains($0) } ?? true
        guard isHeader else { throw SettingsError("--gist-api-key takes a key without spaces.") }
        return GistModelConfiguration(url: url, key: key, model: model)
    }

    private static func plan(_ source: SettingsSource) throws -> CoinGeckoPlan {
        let hasKey = source.text(.coinGeckoKey) != nil
        let plans = CoinGeckoPlan.allCases.map(\.rawValue)
        guard let plan = try source.choice(.coinGeckoPlan, of: plans).flatMap({ CoinGeckoPlan(rawValue: $0) })
        else {
            return hasKey ? .demo : .keyless
        }
        guard plan == .keyless || hasKey else {
            throw SettingsError("--coingecko-plan \(plan.rawValue) needs --coingecko-api-key.")
        }
        return plan
    }

    private static func gitHub(_ source: SettingsSource) throws -> GitHubConfiguration {
        for setting in [Setting.gitHubAPIURL, .gitHubURL] {
            if let url = source.text(setting), !GitHubHosts.isAddress(url) {
                throw SettingsError("\(setting.flag) takes an address that starts with https:// or http://.")
            }
        }
        let hosts = (source.text(.gitHubHosts) ?? "").splitBytes(at: ",").map {
            String($0.filter { $0 != " " })
        }
        if let invalidHost = hosts.first(where: { !GitHubHosts.isHost($0) }) {
            throw SettingsError("--github-hosts takes names such as git.example.org, not “\(invalidHost)”.")
        }
        var configuration = GitHubConfiguration()
        configuration.hosts = GitHubHosts(
            apiURL: source.text(.gitHubAPIURL), webURL: source.text(.gitHubURL), enterprise: hosts)
        configuration.clientID = source.text(.gitHubClientID)
        configuration.clientSecret = source.text(.gitHubClientSecret)
        guard configuration.clientSecret == nil || configuration.clientID != nil else {
            throw SettingsError("--github-client-secret needs --github-client-id.")
        }
        configuration.token = try source.text(.gitHubToken).map(token)
        return configuration
    }

    /// The error omits the value, which may be a mistyped token.
    private static func token(_ text: String) throws -> GitHubToken {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count >= 10, let token = try? GitHubToken(value: text, createdAt: Date(), scopes: [])
        else {
            throw SettingsError(
                "--github-token takes a GitHub token, such as ghp_... or github_pat_...."
            )
        }
        return token
    }

    /// Returns a link to print on the command line, for a server with these settings.
    func link(to path: String) -> SharedLink {
        let links = BaseURL(publicURL: publicURL, isTLS: tls != nil)
        links.setListeningAddress(listen)
        return links.link(to: path)
    }

    var services: Services.Configuration {
        var configuration = Services.Configuration(dataFolder: dataFolder)
        configuration.coinGeckoURL = coinGeckoURL
        configuration.coinGeckoKey = coinGeckoKey
        configuration.coinGeckoPlan = coinGeckoPlan
        configuration.currency = currency
        configuration.priceInterval = priceInterval
        configuration.gitHub = gitHub
        configuration.chatBurst = chatBurst
        configuration.chatRate = chatRate
        configuration.gistModel = gistModel
        configuration.articlePictures = articlePictures
        configuration.keyFile = keyFile
        configuration.backups = backups
        configuration.secrets = secrets
        configuration.environment = ProcessInfo.processInfo.environment
        return configuration
    }
}
