/// A setting, available as a flag, an environment variable and a key in the settings file.
struct Setting: Sendable, Equatable {
    /// "coingecko-api-url": the file's key; the flag has two hyphens in front.
    let name: String
    /// The default, in words.
    let standard: String
    let meaning: String
    /// Whether the value is hidden from logs and errors.
    var isSecret = false

    var flag: String { "--" + name }

    var variable: String { "ROOST_" + name.uppercased().replacingBytes(of: "-", with: "_") }
}

extension Setting {
    static let listen = Setting(
        name: "listen", standard: "127.0.0.1:8080",
        meaning:
            "Address and port, or a port alone on loopback; port 0 takes a free one. `0.0.0.0:8080` opens Roost to the LAN."
    )
    static let tlsCertificate = Setting(
        name: "tls-certificate", standard: "none",
        meaning: "PEM file with the server’s certificate and its chain; turns on HTTPS.")
    static let tlsKey = Setting(
        name: "tls-key", standard: "none",
        meaning: "PEM file with the certificate’s private key, without a password.")
    static let publicURL = Setting(
        name: "public-url", standard: "none",
        meaning: "Public address behind a proxy, such as `https://roost.example.org`, without a path.")
    static let hostNames = Setting(
        name: "host-names", standard: "none",
        meaning:
            "Names in the LAN that Roost answers to, besides `*.local`, separated by commas: `nas,nas.home.arpa`."
    )
    static let trustedProxy = Setting(
        name: "trusted-proxy", standard: "none",
        meaning: "Addresses or ranges of proxies whose forwarded headers are trusted, separated by commas.")
    static let data = Setting(
        name: "data", standard: "`$XDG_DATA_HOME/roost`",
        meaning: "Folder of the database, created with mode 0700.")
    static let keyFile = Setting(
        name: "key-file", standard: "`secret.key` among systemd’s credentials, else in the data folder",
        meaning: "File with the key for stored secrets; it must exist and be readable only by the server.")
    static let backupFolder = Setting(
        name: "backup-folder", standard: "`backups` in the data folder",
        meaning: "Folder of the nightly backups, created with mode 0700, or `off`.")
    static let backupHour = Setting(
        name: "backup-hour", standard: "3",
        meaning: "Hour of the nightly backup in the machine’s time zone, 0 to 23.")
    static let backupDaily = Setting(
        name: "backup-daily", standard: "7", meaning: "Daily backups to keep, 1 to 1,000.")
    static let backupWeekly = Setting(
        name: "backup-weekly", standard: "4", meaning: "Weekly backups to keep, 0 to 1,000.")
    static let backupMonthly = Setting(
        name: "backup-monthly", standard: "12", meaning: "Monthly backups to keep, 0 to 1,000.")
    static let config = Setting(
        name: "config", standard: "`/etc/roost/roost.json` for the installed package, else none",
        meaning: "Settings file: a JSON object with these names as keys; it may contain comments.")
    static let assets = Setting(
        name: "assets", standard: "found next to the program",
        meaning: "Folder that contains `Public`.")
    static let coinGeckoURL = Setting(
        name: "coingecko-api-url", standard: "the plan’s own",
        meaning: "Address of CoinGecko’s API or a simulation of it.")
    static let coinGeckoKey = Setting(
        name: "coingecko-api-key", standard: "none",
        meaning: "API key; prefer the variable, because other users can see flags.", isSecret: true)
    static let coinGeckoPlan = Setting(
        name: "coingecko-plan", standard: "`demo` with a key, else `keyless`",
        meaning: "`keyless`, `demo` or `paid`: how often prices may be requested.")
    static let gitHubAPIURL = Setting(
        name: "github-api-url", standard: "`https://api.github.com`",
        meaning: "Address of GitHub’s API; for an Enterprise server `https://HOST/api/v3`.")
    static let gitHubURL = Setting(
        name: "github-url", standard: "from the API’s address, else `https://github.com`",
        meaning: "Address of GitHub’s pages, where people sign in.")
    static let gitHubHosts = Setting(
        name: "github-hosts", standard: "none",
        meaning:
            "More GitHub Enterprise servers, separated by commas, such as `git.example.org`; also in the LAN."
    )
    static let gitHubClientID = Setting(
        name: "github-client-id", standard: "none",
        meaning: "Client ID of an OAuth app at GitHub: people sign in with a code.")
    static let gitHubClientSecret = Setting(
        name: "github-client-secret", standard: "none",
        meaning: "The app’s secret: people can also sign in on GitHub’s page; prefer the variable.",
        isSecret: true)
    static let gitHubToken = Setting(
        name: "github-token", standard: "none",
        meaning:
            "GitHub token for users without a GitHub account: 5,000 requests an hour, not 60; prefer the variable.",
        isSecret: true)
    static let currency = Setting(
        name: "currency", standard: "usd",
        meaning: "Currency of prices for users who have not chosen one, by CoinGecko’s name.")
    static let priceInterval = Setting(
        name: "price-interval", standard: "as the plan allows",
        meaning:
            "Seconds between two requests for prices, 1 to 86,400; Roost warns if the plan does not allow that."
    )
    static let chatBurst = Setting(
        name: "chat-burst", standard: "300",
        meaning: "Chat messages that a user can send at once, 1 to 1,000,000.")
    static let chatRate = Setting(
        name: "chat-rate", standard: "20",
        meaning: "Chat messages that a user can send each second after that, 1 to 1,000,000.")
    static let articleHosts = Setting(
        name: "article-hosts", standard: "none",
        meaning:
            "For demos and tests: where to fetch a host’s articles, separated by commas: `www.example.org=127.0.0.1:8081`."
    )
    static let articlePictures = Setting(
        name: "article-pictures", standard: "20",
        meaning: "Pictures that are stored with a saved article, 0 to 200.")
    static let articlePictureMegabytes = Setting(
        name: "article-picture-megabytes", standard: "5",
        meaning: "Megabytes of an article’s stored pictures together, 1 to 200.")
    static let gistAPIURL = Setting(
        name: "gist-api-url", standard: "none",
        meaning:
            "Address of an OpenAI-compatible API that writes gists, such as `http://127.0.0.1:11434/v1`."
    )
    static let gistAPIKey = Setting(
        name: "gist-api-key", standard: "none",
        meaning: "Its API key; prefer the variable, because other users can see flags.",
        isSecret: true)
    static let gistModel = Setting(
        name: "gist-model", standard: "none", meaning: "The model’s name there; needed with `gist-api-url`.")
    static let connectionLimit = Setting(
        name: "connection-limit", standard: "12000",
        meaning: "Connections served at once; others are asked to try again later.")
    static let threads = Setting(
        name: "threads", standard: "2", meaning: "Threads of the web server, 1 to 64.")
    static let logLevel = Setting(
        name: "log-level", standard: "info",
        meaning: "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`.")
    static let logFormat = Setting(
        name: "log-format", standard: "text",
        meaning: "`text` or `json`: one line per event, on standard error.")
    static let accessLog = Setting(
        name: "access-log", standard: "off",
        meaning: "`off`, `-` for standard output, or a file: a line per request, without secrets or queries."
    )

    /// In the order of the table in Settings.md.
    static let all: [Setting] = [
        listen, tlsCertificate, tlsKey, publicURL, hostNames, trustedProxy, data, keyFile, backupFolder,
        backupHour, backupDaily, backupWeekly, backupMonthly, config, assets, coinGeckoURL,
        coinGeckoKey, coinGeckoPlan, currency, priceInterval, gitHubAPIURL, gitHubURL, gitHubHosts,
        gitHubClientID, gitHubClientSecret, gitHubToken, chatBurst, chatRate, articleHosts, articlePictures,
        articlePictureMegabytes, gistAPIURL,
        gistAPIKey, gistModel, connectionLimit, threads,
        logLevel, logFormat,
        accessLog,
    ]
}
