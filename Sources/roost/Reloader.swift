import Foundation
import Logging

/// Applies changed settings and files to the running program, for SIGHUP.
struct Reloader {
    /// The settings that change without a restart.
    static let live: [Setting] = [
        .logLevel, .logFormat, .accessLog, .tlsCertificate, .tlsKey, .chatBurst, .chatRate,
    ]

    private let app: App
    private let style: LogStyle
    private let log: Logger
    /// The settings of the start, which the program still uses unless they are live.
    private let startSource: SettingsSource
    private let startsWithTLS: Bool
    private var settings: Settings

    init(_ app: App, _ source: SettingsSource, _ settings: Settings, _ style: LogStyle, _ log: Logger) {
        self.app = app
        self.settings = settings
        self.style = style
        self.log = log
        startSource = source
        startsWithTLS = settings.tls != nil
    }

    /// Reads the settings again, applies those that can change, and opens the log file and the certificate again.
    /// Whatever is invalid stays as it was and is logged as an error.
    mutating func reload(_ options: SettingsOptions) async {
        do {
            let source = try await options.source()
            settings = try Settings(source)
            apply()
            warnOfOthers(source)
        } catch {
            log.error(
                "The settings could not be read again. The previous ones stay.",
                metadata: ["error": "\(error)"])
        }
        openAccessLog()
        loadCertificate()
        log.notice("Reloaded.")
    }

    private func apply() {
        style.change(
            level: settings.logLevel,
            format: .init(isJSON: settings.logsJSON, environment: ProcessInfo.processInfo.environment))
        app.services.chat.conversations.setRateLimit(burst: settings.chatBurst, rate: settings.chatRate)
    }

    private func openAccessLog() {
        do { try app.accessLog.open(settings.accessLog, isJSON: settings.logsJSON) } catch {
            log.error(
                "The access log could not be opened again. It continues as before.",
                metadata: ["error": "\(error)"])
        }
    }

    private func loadCertificate() {
        guard startsWithTLS, let files = settings.tls else { return }
        do { try app.server.use(files, log: log) } catch {
            log.error(
                "The certificate could not be loaded again. The previous one stays.",
                metadata: ["error": "\(error)"])
        }
    }

    /// Names only, because values may be secrets.
    private func warnOfOthers(_ source: SettingsSource) {
        let changed = Setting.all.filter { setting in
            guard source.text(setting) != startSource.text(setting) else { return false }
            let switchesTLS = startsWithTLS != (settings.tls != nil)
            let isTLS = setting == .tlsCertificate || setting == .tlsKey
            return !Self.live.contains(setting) || (isTLS && switchesTLS)
        }
        guard !changed.isEmpty else { return }
        log.warning(
            "Some changed settings need a restart.",
            metadata: ["settings": "\(changed.map(\.name).joined(separator: ", "))"])
    }
}
