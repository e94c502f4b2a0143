import Foundation
import HTTPServer
import Logging
import RoostServices
import RoostSupport
import RoostWeb
import Synchronization

extension Topic {
    /// Published while an owner looks at the status page.
    static let serverStatus = "status"
}

/// What the running server knows about itself. Keeps open status pages live, and warns of an expiring certificate.
final class ServerStatus: Sendable {
    /// Between two updates of an open status page.
    static let interval = Duration.seconds(10)
    /// An open page asks again at least this often.
    private static let demandLifetime = Duration.seconds(60)
    private static let certificateLifetime = Duration.seconds(60)

    let startedAt: Date
    let dataFolder: String
    /// Nil if there is no access log, or not in a file.
    let accessLog: String?
    let errors: RecentErrors
    /// For `roost doctor`; nil lets no one ask.
    let probeSecret: String?
    private let tls: WebServer.TLSFiles?
    /// The certificate that the server uses, which may differ from the file.
    private let served: Mutex<CertificateExpiry?>
    private let feed: ChangeFeed
    private let clock: WallClock
    private let log: Logger
    private let demandEnd = Mutex(ContinuousClock.Instant.distantPast)
    private let lastCertificate = Mutex<(check: CertificateCheck, at: ContinuousClock.Instant)?>(nil)

    init(_ services: Services, _ options: WebServer.Options, log: Logger) {
        startedAt = services.clock.now()
        dataFolder = services.dataFolder
        accessLog = options.accessLogFile
        errors = options.recentErrors
        probeSecret = options.probeSecret
        tls = options.tls
        served = Mutex(options.tls.flatMap { try? CertificateExpiry(ofFile: $0.certificate) })
        feed = services.feed
        clock = services.clock
        self.log = log
    }

    /// Call it when the server begins to use another certificate.
    func noteCertificate(_ expiry: CertificateExpiry) {
        served.withLock { $0 = expiry }
        lastCertificate.withLock { $0 = nil }
    }

    /// Keeps the status page live for the next minute.
    func watch() {
        let end = clock.steady() + Self.demandLifetime
        demandEnd.withLock { $0 = max($0, end) }
    }

    /// The start has warned of the certificate already.
    func run() async {
        var nextWarning = clock.steady() + .seconds(86_400)
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.interval)
            guard !Task.isCancelled else { return }
            if demandEnd.withLock({ $0 }) > clock.steady() { feed.publish(Topic.serverStatus) }
            guard clock.steady() >= nextWarning else { continue }
            nextWarning = clock.steady() + .seconds(86_400)
            if let warning = certificateWarning { log.warning("\(warning)") }
        }
    }

    /// The file is read at most once a minute, because every page of an owner asks.
    var certificate: CertificateCheck {
        let (now, date, served) = (clock.steady(), clock.now(), served.withLock { $0 })
        if let last = lastCertificate.withLock({ $0 }), last.at + Self.certificateLifetime > now {
            return CertificateCheck(
                file: last.check.file, state: last.check.state, served: served, now: date)
        }
        let check = CertificateCheck(tls, served: served, now: date)
        lastCertificate.withLock { $0 = (check, now) }
        return check
    }

    /// Why the certificate needs the owner, with the remedy; nil if it does not.
    var certificateWarning: String? {
        guard tls != nil else { return nil }
        let finding = certificate.finding
        return finding.remedy.map { "\(finding.text) \($0)" }
    }
}

extension CertificateCheck {
    /// Reads the configured file.
    init(_ tls: WebServer.TLSFiles?, served: CertificateExpiry? = nil, now: Date) {
        guard let tls else {
            self.init(file: "", state: .none, now: now)
            return
        }
        let state: State
        do throws(TLSError) {
            state = .readable(try CertificateExpiry(ofFile: tls.certificate))
        } catch {
            state = .unusable(error.description)
        }
        self.init(file: tls.certificate, state: state, served: served, now: now)
    }
}
