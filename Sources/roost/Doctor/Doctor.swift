import ArgumentParser
import Foundation
import GitHub
import Glibc
import HTTPClient
import HTTPServer
import Market
import RoostServices
import RoostSupport
import RoostWeb

/// `roost doctor`: checks what a server with these settings needs, without changing anything.
struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the address, files, key, disk, certificate, proxy and upstreams; changes nothing.",
        discussion:
            "Use the settings of the server, which may be running. Exits with 1 if there is a problem.")

    @Flag(help: "Asks no other machine: skips the public address, the upstreams and the clock.")
    var offline = false
    @OptionGroup var options: SettingsOptions

    func run() async throws {
        let settings = try await options.settings()
        let findings = await Examination(settings: settings, isOffline: offline).findings()
        for finding in findings { print(finding.line) }
        if findings.contains(where: { $0.level == .problem }) { throw ExitCode.failure }
    }
}

/// Collects the facts for the checks.
struct Examination: Sendable {
    private static let timeout = Duration.seconds(10)
    private static let largeBody = 2 << 20

    let settings: Settings
    let isOffline: Bool

    func findings() async -> [Finding] {
        let holder = DataFolderLock.holder(of: settings.dataFolder)
        let database = DatabaseFileCheck(folder: settings.dataFolder)
        let now = Date()
        var findings = [await port(holder).finding, folder.finding, key.finding]
        if database.state == .sound { findings.append(database.finding) }
        findings += [
            BackupCheck(status: DatabaseBackups.status(settings.backups, at: now)).finding,
            DiskCheck(
                folder: existingFolder, databaseBytes: database.bytes + database.logBytes
            ).finding,
            certificate(at: now).finding,
        ]
        guard !isOffline else { return findings }
        let client = HTTPClient(userAgent: "Roost/\(Roost.version)")
        defer { client.shutdown() }
        async let proxy = publicURL(holder, client)
        async let servers = upstreams(client)
        findings += await proxy.findings
        let checks = await servers
        findings += checks.map(\.check.finding)
        findings.append(ClockCheck(offsets: checks.compactMap(\.offset)).finding)
        return findings
    }

    // MARK: This machine

    /// The data folder, or the nearest folder above it that exists.
    private var existingFolder: String {
        var path = URL(fileURLWithPath: settings.dataFolder).path
        while path != "/", FileFacts(path) == nil { path = (path as NSString).deletingLastPathComponent }
        return path
    }

    private var folder: FolderCheck {
        let path = settings.dataFolder + "/" + Database.fileName
        var obstacle: String?
        do { try FolderOwner.checkAccess(to: settings.dataFolder, file: path) } catch {
            obstacle = (error as? RoostError)?.message ?? "\(error)"
        }
        let (facts, database) = (FileFacts(settings.dataFolder), FileFacts(path))
        return FolderCheck(
            folder: settings.dataFolder, facts: facts, database: database, databasePath: path,
            obstacle: obstacle, ownerName: facts.map { FolderOwner.name(of: $0.owner) } ?? "",
            databaseOwnerName: database.map { FolderOwner.name(of: $0.owner) } ?? "")
    }

    private var key: KeyCheck {
        KeyCheck(
            report: DatabaseKey.report(
                folder: settings.dataFolder, environment: ProcessInfo.processInfo.environment,
                keyFile: settings.keyFile),
            dataFolder: settings.dataFolder)
    }

    /// Reads the key too, unlike a running server.
    private func certificate(at now: Date) -> CertificateCheck {
        guard let tls = settings.tls else { return CertificateCheck(nil, now: now) }
        do throws(TLSError) {
            let identity = try TLSIdentity.load(certificate: tls.certificate, key: tls.key)
            return CertificateCheck(file: tls.certificate, state: .readable(identity.expiry), now: now)
        } catch {
            return CertificateCheck(file: tls.certificate, state: .unusable(error.description), now: now)
        }
    }

    private func port(_ holder: DataFolderLock.Holder) async -> PortCheck {
        let answer = await localAnswer(holder)
        return PortCheck(
            address: settings.listen, dataFolder: settings.dataFolder, isServerRunning: holder.isHeld,
            isVerifiable: holder.secret != nil && !takesAnyPort, answer: answer,
            binding: answer == .nothing && !holder.isHeld ? await binding() : nil)
    }

    /// Port 0 is another one at each start.
    private var takesAnyPort: Bool { settings.listen.hasSuffix(":0") }

    private func localAnswer(_ holder: DataFolderLock.Holder) async -> PortCheck.Occupant {
        guard !takesAnyPort else { return holder.isHeld ? .roost : .nothing }
        var configuration = ClientConfiguration()
        configuration.proxy = ""
        let client = HTTPClient(userAgent: "Roost/\(Roost.version)", configuration: configuration)
        defer { client.shutdown() }
        let scheme = settings.tls == nil ? "http://" : "https://"
        var request = ClientRequest(url: scheme + Self.reachable(settings.listen) + ProbeReport.path)
        request.totalTimeout = Self.timeout
        if let secret = holder.secret { request.headers = [(ProbeReport.secretHeader, secret)] }
        do throws(HTTPClientError) {
            let response = try await client.send(request)
            if let report = Self.report(response) { return .thisRoost(process: report.process) }
            return Self.isFromRoost(response) ? .roost : .other
        } catch {
            return switch error {
            case .connect, .resolve: .nothing
            case .untrusted: .encrypted
            default: .other
            }
        }
    }

    /// Listens for a moment.
    private func binding() async -> PortCheck.Binding {
        var configuration = ServerConfiguration()
        configuration.address = settings.listen
        do {
            let server = Server(configuration, router: try Router([]))
            try server.start()
            await server.stop(within: .zero)
            return .possible
        } catch {
            return .refused("\(error)")
        }
    }

    /// The address for a request from this machine: "127.0.0.1:8080" for "0.0.0.0:8080".
    static func reachable(_ address: String) -> String {
        guard let colon = address.utf8.lastIndex(of: UInt8(ascii: ":")) else { return address }
        return switch address[..<colon] {
        case "0.0.0.0": "127.0.0.1\(address[colon...])"
        case "[::]": "[::1]\(address[colon...])"
        default: address
        }
    }

    private static func report(_ response: ClientResponse) -> ProbeReport? {
        guard response.status == 200 else { return nil }
        return try? JSONDecoder().decode(ProbeReport.self, from: Data(response.body))
    }

    /// Roost sends these with every answer; a proxy's own answers lack them.
    private static func isFromRoost(_ response: ClientResponse) -> Bool {
        ["Cross-Origin-Opener-Policy", "Permissions-Policy", RequestFilter.policyHeader]
            .allSatisfy { response.headers[$0] != nil }
    }

    // MARK: Other machines

    private func publicURL(_ holder: DataFolderLock.Holder, _ client: HTTPClient) async -> PublicURLCheck {
        guard let url = settings.publicURL, holder.isHeld else {
            return check(.notTried)
        }
        var request = ClientRequest(url: url.origin + ProbeReport.path)
        request.totalTimeout = Self.timeout
        if let secret = holder.secret { request.headers = [(ProbeReport.secretHeader, secret)] }
        do throws(HTTPClientError) {
            let response = try await client.send(request)
            if let report = Self.report(response) {
                return check(
                    .thisRoost(report, passesLargeBodies: await passesLargeBodies(url, client)))
            }
            if response.status == 421 { return check(.misdirected) }
            return check(.other(status: response.status, isRoost: Self.isFromRoost(response)))
        } catch {
            return check(.failed(.failed(error)))
        }
    }

    private func check(_ answer: PublicURLCheck.Reachability) -> PublicURLCheck {
        PublicURLCheck(url: settings.publicURL, servesTLS: settings.tls != nil, answer: answer)
    }

    /// Posts zeros to an address that takes no body. If the proxy lets them pass, Roost refuses them.
    private func passesLargeBodies(_ url: PublicURL, _ client: HTTPClient) async -> Bool? {
        var request = ClientRequest(
            "POST", url.origin + "/healthz", headers: [("Content-Type", "application/octet-stream")],
            body: [UInt8](repeating: 0, count: Self.largeBody))
        request.totalTimeout = Self.timeout
        guard let response = try? await client.send(request) else { return nil }
        if Self.isFromRoost(response) { return true }
        return response.status == 413 ? false : nil
    }

    private func upstreams(_ client: HTTPClient) async -> [(check: UpstreamCheck, offset: Int?)] {
        let coinGecko = settings.coinGeckoURL ?? settings.coinGeckoPlan.defaultURL
        let targets =
            [("CoinGecko", coinGecko, coinGecko + "/ping")]
            + settings.gitHub.hosts.configured.map { host in
                // Does not count against the hour's limit.
                ("GitHub, \(host.name)", host.apiURL, host.apiURL + "/rate_limit")
            }
        return await withTaskGroup(of: (Int, UpstreamCheck, Int?).self) { group in
            for (index, (name, url, asked)) in targets.enumerated() {
                group.addTask {
                    let outcome = await ask(asked, client)
                    var offset: Int?
                    if case .answered(_, let date?) = outcome {
                        offset = Int(Date().timeIntervalSince(date).rounded())
                    }
                    return (index, UpstreamCheck(name: name, url: url, outcome: outcome), offset)
                }
            }
            var results: [(Int, UpstreamCheck, Int?)] = []
            for await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map { (check: $0.1, offset: $0.2) }
        }
    }

    private func ask(_ url: String, _ client: HTTPClient) async -> ProbeOutcome {
        var request = ClientRequest(url: url)
        request.totalTimeout = Self.timeout
        do throws(HTTPClientError) {
            let response = try await client.send(request)
            return .answered(status: response.status, date: response.headers["Date"].flatMap(HTTPDate.parse))
        } catch {
            return .failed(error)
        }
    }
}
