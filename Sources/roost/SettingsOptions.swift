import ArgumentParser

/// The flags of all settings. Missing ones are taken from the environment or the file.
struct SettingsOptions: ParsableArguments {
    @Option(help: help(.listen)) var listen: String?
    @Option(name: .customLong("tls-certificate"), help: help(.tlsCertificate)) var tlsCertificate: String?
    @Option(name: .customLong("tls-key"), help: help(.tlsKey)) var tlsKey: String?
    @Option(name: .customLong("public-url"), help: help(.publicURL)) var publicURL: String?
    @Option(help: help(.hostNames)) var hostNames: String?
    @Option(help: help(.trustedProxy)) var trustedProxy: String?
    @Option(help: help(.data)) var data: String?
    @Option(name: .customLong("key-file"), help: help(.keyFile)) var keyFile: String?
    @Option(help: help(.backupFolder)) var backupFolder: String?
    @Option(help: help(.backupHour)) var backupHour: String?
    @Option(help: help(.backupDaily)) var backupDaily: String?
    @Option(help: help(.backupWeekly)) var backupWeekly: String?
    @Option(help: help(.backupMonthly)) var backupMonthly: String?
    @Option(help: help(.config)) var config: String?
    @Option(help: help(.assets)) var assets: String?
    @Option(name: .customLong("coingecko-api-url"), help: help(.coinGeckoURL)) var coinGeckoURL: String?
    @Option(name: .customLong("coingecko-api-key"), help: help(.coinGeckoKey)) var coinGeckoKey: String?
    @Option(name: .customLong("coingecko-plan"), help: help(.coinGeckoPlan)) var coinGeckoPlan: String?
    @Option(help: help(.currency)) var currency: String?
    @Option(help: help(.priceInterval)) var priceInterval: String?
    @Option(name: .customLong("github-api-url"), help: help(.gitHubAPIURL)) var gitHubAPIURL: String?
    @Option(name: .customLong("github-url"), help: help(.gitHubURL)) var gitHubURL: String?
    @Option(name: .customLong("github-hosts"), help: help(.gitHubHosts)) var gitHubHosts: String?
    @Option(name: .customLong("github-client-id"), help: help(.gitHubClientID)) var gitHubClientID: String?
    @Option(name: .customLong("github-client-secret"), help: help(.gitHubClientSecret))
    var gitHubClientSecret: String?
    @Option(name: .customLong("github-token"), help: help(.gitHubToken)) var gitHubToken: String?
    @Option(help: help(.chatBurst)) var chatBurst: String?
    @Option(help: help(.chatRate)) var chatRate: String?
    @Option(help: help(.articleHosts)) var articleHosts: String?
    @Option(help: help(.articlePictures)) var articlePictures: String?
    @Option(help: help(.articlePictureMegabytes)) var articlePictureMegabytes: String?
    @Option(name: .customLong("gist-api-url"), help: help(.gistAPIURL)) var gistAPIURL: String?
    @Option(name: .customLong("gist-api-key"), help: help(.gistAPIKey)) var gistAPIKey: String?
    @Option(help: help(.gistModel)) var gistModel: String?
    @Option(help: help(.connectionLimit)) var connectionLimit: String?
    @Option(help: help(.threads)) var threads: String?
    @Option(help: help(.logLevel)) var logLevel: String?
    @Option(help: help(.logFormat)) var logFormat: String?
    @Option(help: help(.accessLog)) var accessLog: String?

    /// The given flags by setting name.
    var flags: [String: String] {
        let pairs: [(Setting, String?)] = [
            (.listen, listen), (.tlsCertificate, tlsCertificate), (.tlsKey, tlsKey), (.publicURL, publicURL),
            (.hostNames, hostNames), (.trustedProxy, trustedProxy), (.data, data), (.keyFile, keyFile),
            (.backupFolder, backupFolder), (.backupHour, backupHour), (.backupDaily, backupDaily),
            (.backupWeekly, backupWeekly), (.backupMonthly, backupMonthly), (.config, config),
            (.assets, assets),
            (.coinGeckoURL, coinGeckoURL),
            (.coinGeckoKey, coinGeckoKey), (.coinGeckoPlan, coinGeckoPlan), (.currency, currency),
            (.priceInterval, priceInterval), (.gitHubAPIURL, gitHubAPIURL), (.gitHubURL, gitHubURL),
            (.gitHubHosts, gitHubHosts), (.gitHubClientID, gitHubClientID),
            (.gitHubClientSecret, gitHubClientSecret), (.gitHubToken, gitHubToken),
            (.chatBurst, chatBurst), (.chatRate, chatRate), (.articleHosts, articleHosts),
            (.articlePictures, articlePictures), (.articlePictureMegabytes, articlePictureMegabytes),
            (.gistAPIURL, gistAPIURL), (.gistAPIKey, gistAPIKey), (.gistModel, gistModel),
            (.connectionLimit, connectionLimit),
            (.threads, threads),
            (.logLevel, logLevel), (.logFormat, logFormat), (.accessLog, accessLog),
        ]
        return Dictionary(
            pairs.compactMap { setting, value in value.map { (setting.name, $0) } }, uniquingKeysWith: { $1 })
    }

    private static func help(_ setting: Setting) -> ArgumentHelp {
        ArgumentHelp("\(setting.meaning) (default: \(setting.standard))", valueName: "value")
    }
}
