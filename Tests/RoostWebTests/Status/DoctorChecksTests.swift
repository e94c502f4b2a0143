import Foundation
import Glibc
import Testing

@testable import HTTPClient
@testable import HTTPServer
@testable import RoostSupport
@testable import RoostWeb
@testable import roost

@Suite struct DoctorChecksTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test func `a finding is one line with its remedy`() {
        let finding = Finding.problem("Disk", "It is\nfull.", remedy: "Free space.")
        #expect(finding.line == "problem  Disk: It is full. Free space.")
        #expect(Finding.ok("Disk", "Fine.").line == "ok       Disk: Fine.")
        #expect(
            Finding.warning("Disk", "Low.", remedy: "Free space.").line == "warning  Disk: Low. Free space.")
        #expect([Finding.Level.ok, .problem, .warning].max() == .problem)
    }

    // MARK: Address

    private func port(
        _ answer: PortCheck.Occupant, running: Bool, verifiable: Bool = true,
        _ binding: PortCheck.Binding? = nil
    ) -> Finding {
        PortCheck(
            address: "127.0.0.1:8080", dataFolder: "/data", isServerRunning: running,
            isVerifiable: verifiable, answer: answer, binding: binding
        ).finding
    }

    @Test func `the address is right if it is free, or answered by the Roost of this data folder`() {
        #expect(port(.thisRoost(process: 7), running: true).level == .ok)
        #expect(port(.thisRoost(process: 7), running: true).text.contains("process 7"))
        #expect(port(.roost, running: true, verifiable: false).level == .ok)
        #expect(port(.encrypted, running: true).level == .ok)
        #expect(port(.nothing, running: false, .possible).level == .ok)
    }

    @Test func `another program or Roost at the address, and a server that does not answer, are problems`() {
        #expect(port(.roost, running: false).remedy?.contains("--data") == true)
        #expect(port(.roost, running: true).level == .problem)
        #expect(port(.other, running: true).remedy?.contains("--listen") == true)
        #expect(port(.encrypted, running: false).level == .problem)
        #expect(port(.nothing, running: true).level == .problem)
        let refused = port(.nothing, running: false, .refused("Permission denied."))
        #expect(refused.level == .problem && refused.text == "Permission denied.")
    }

    @Test(arguments: [
        ("0.0.0.0:8080", "127.0.0.1:8080"), ("[::]:80", "[::1]:80"), ("192.168.1.7:8080", "192.168.1.7:8080"),
    ])
    func `an address for all interfaces is asked on loopback`(listen: String, asked: String) {
        #expect(Examination.reachable(listen) == asked)
    }

    // MARK: Files

    private func folder(
        _ facts: FileFacts?, database: FileFacts? = nil, obstacle: String? = nil
    ) -> Finding {
        FolderCheck(
            folder: "/data", facts: facts, database: database, databasePath: "/data/roost.sqlite",
            obstacle: obstacle, ownerName: "roost", databaseOwnerName: database?.owner == 0 ? "root" : "roost"
        ).finding
    }

    @Test func `a data folder belongs to one user, and no one else can open it`() {
        let (owned, file) = (FileFacts(mode: 0o700, owner: 7), FileFacts(mode: 0o600, owner: 7))
        #expect(folder(owned, database: file).level == .ok)
        #expect(folder(owned, database: file).text.contains("0700, belongs to roost"))
        #expect(folder(nil).level == .ok)
        let open = folder(FileFacts(mode: 0o755, owner: 7), database: file)
        #expect(open.level == .warning && open.remedy?.contains("chmod 700 /data") == true)
        let openFile = folder(owned, database: FileFacts(mode: 0o644, owner: 7))
        #expect(openFile.level == .warning && openFile.remedy?.contains("chmod 600") == true)
        let foreign = folder(owned, database: FileFacts(mode: 0o600, owner: 0))
        #expect(foreign.level == .problem && foreign.remedy?.contains("chown roost") == true)
        let closed = folder(nil, obstacle: "Run this as roost.")
        #expect(closed.level == .problem && closed.remedy == "Run this as roost.")
    }

    private func key(_ report: DatabaseKey.Report) -> Finding {
        KeyCheck(report: report, dataFolder: "/data").finding
    }

    @Test func `the key's file is named, and a missing, wrong or unreadable key is a problem`() {
        #expect(key(.init(path: nil)).level == .ok)
        #expect(
            key(.init(path: "/data/secret.key", isRight: true)).text.contains("/data/secret.key is the key"))
        #expect(key(.init(path: "/data/secret.key")).level == .ok)
        let missing = key(.init(path: nil, isRight: false, lastPath: "/old/secret.key"))
        #expect(missing.level == .problem && missing.text.contains("last read from /old/secret.key"))
        #expect(key(.init(path: "/data/secret.key", isRight: false)).remedy?.contains("key forget") == true)
        #expect(key(.init(path: "/k", failure: "The key file /k is broken.")).level == .problem)
    }

    @Test func `the report of the key neither makes nor shows one`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-key-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let none = DatabaseKey.report(folder: folder, environment: [:], keyFile: nil)
        #expect(none == DatabaseKey.Report(path: nil))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        let named = DatabaseKey.report(folder: folder, environment: [:], keyFile: folder + "/none.key")
        #expect(named.failure?.contains("does not exist") == true)
    }

    @Test func `a lock is found in the kernel's list by its file`() {
        let list = """
            1: POSIX  ADVISORY  WRITE 617 08:01:2113 0 EOF
            2: FLOCK  ADVISORY  WRITE 742 08:01:77 0 EOF
            """
        #expect(DataFolderLock.isLocked(77, in: list))
        #expect(!DataFolderLock.isLocked(2113, in: list) && !DataFolderLock.isLocked(7, in: list))
        #expect(!DataFolderLock.isLocked(77, in: ""))
    }

    @Test func `the holder of a data folder's lock is found without taking it`() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/roost-lock-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(DataFolderLock.holder(of: folder) == DataFolderLock.Holder(isHeld: false))
        let lock = try DataFolderLock(folder: folder)
        let holder = DataFolderLock.holder(of: folder)
        #expect(holder.isHeld && holder.process == Int(getpid()) && holder.secret == lock.secret)
        withExtendedLifetime(lock) {}
    }

    // MARK: Disk, database and backups

    @Test(arguments: [
        (40 << 30, 1 << 20, Finding.Level.ok), (300 << 20, 1 << 20, .warning), (3 << 30, 2 << 30, .warning),
        (20 << 20, 1 << 20, .problem),
    ])
    func `little room is a warning, and almost none a problem`(free: Int, database: Int, level: Finding.Level)
    {
        let check = DiskCheck(folder: "/data", free: free, total: 50 << 30, databaseBytes: database)
        #expect(check.finding.level == level)
        #expect((check.finding.remedy != nil) == (level > .ok))
    }

    @Test func `a disk that takes no more data is a problem however large it is`() {
        let full = DiskCheck(folder: "/data", free: 40 << 30, total: 50 << 30, isFull: true, databaseBytes: 0)
        #expect(full.finding.level == .problem)
        let unknown = DiskCheck(folder: "/data", free: nil, total: nil, databaseBytes: 0)
        #expect(unknown.finding.level == .warning)
    }

    private func database(_ state: DatabaseFileCheck.State, log: Int = 0) -> Finding {
        DatabaseFileCheck(path: "/data/roost.sqlite", state: state, bytes: 1 << 20, logBytes: log).finding
    }

    @Test func `damage, a missing file and a log that never shrinks are found`() {
        #expect(database(.sound).level == .ok)
        #expect(database(.sound, log: 1 << 30).level == .warning)
        #expect(database(.missing).level == .problem)
        #expect(database(.damaged).remedy?.contains("roost restore") == true)
    }

    private func backups(_ state: DatabaseBackups.Status.State, _ failure: String? = nil) -> Finding {
        BackupCheck(
            status: DatabaseBackups.Status(
                state: state, folder: state == .off ? nil : "/backups", lastSuccess: state == .ok ? now : nil,
                failure: failure, next: now + 3_600, count: 2, bytes: 4 << 20)
        ).finding
    }

    @Test func `backups that are off, old or failing are found`() {
        #expect(backups(.ok).level == .ok && backups(.none).level == .ok)
        #expect(backups(.ok).text.contains("2 backups in /backups"))
        #expect(backups(.off).level == .warning)
        #expect(backups(.failed).text.contains("two nights"))
        let full = backups(.failed, "The disk is full.")
        #expect(full.level == .problem && full.text.contains("The disk is full."))
    }

    // MARK: Certificate

    private func certificate(days: Double, servedDays: Double? = nil) -> Finding {
        CertificateCheck(
            file: "/roost.pem", state: .readable(CertificateExpiry(date: now + days * 86_400)),
            served: servedDays.map { CertificateExpiry(date: now + $0 * 86_400) }, now: now
        ).finding
    }

    @Test func `a certificate warns 21 days before its end, and is a problem after it`() {
        #expect(certificate(days: 22).level == .ok)
        #expect(certificate(days: 20.5).level == .warning)
        #expect(certificate(days: 20.5).text.contains("expires in 20 days"))
        #expect(certificate(days: -1).level == .problem)
        #expect(CertificateCheck(file: "", state: .none, now: now).finding.level == .ok)
        let broken = CertificateCheck(file: "/roost.pem", state: .unusable("No certificate."), now: now)
        #expect(broken.finding.level == .problem)
    }

    @Test func `a renewed certificate that the server has not read yet needs a reload`() {
        let renewed = certificate(days: 90, servedDays: 5)
        #expect(renewed.level == .warning && renewed.remedy?.contains("Reload") == true)
        #expect(certificate(days: 90, servedDays: -1).level == .problem)
        #expect(certificate(days: 90, servedDays: 90).level == .ok)
    }

    // MARK: Public address

    private func publicURL(
        _ answer: PublicURLCheck.Reachability, _ url: String? = "https://roost.example.org", tls: Bool = false
    ) -> [Finding] {
        PublicURLCheck(url: url.flatMap(PublicURL.init), servesTLS: tls, answer: answer).findings
    }

    private func report(
        peer: String = "10.0.0.1", client: String = "203.0.113.9", host: String = "roost.example.org",
        isSecure: Bool = true, isForwarded: Bool = true, isTrusted: Bool = true
    ) -> ProbeReport {
        ProbeReport(
            process: 7, peer: peer, client: client, host: host, isSecure: isSecure, isForwarded: isForwarded,
            isTrusted: isTrusted)
    }

    @Test func `a proxy that passes on names, addresses and uploads is right`() {
        let findings = publicURL(.thisRoost(report(), passesLargeBodies: true))
        #expect(findings.map(\.level) == [.ok, .ok, .ok])
        #expect(publicURL(.notTried, nil).map(\.level) == [.ok])
        #expect(publicURL(.notTried).map(\.level) == [.ok])
        let direct = report(isForwarded: false, isTrusted: false)
        #expect(publicURL(.thisRoost(direct, passesLargeBodies: nil), tls: true).map(\.level) == [.ok])
    }

    @Test func `each fault of a proxy has its own remedy`() {
        func remedy(_ report: ProbeReport) -> String {
            let findings = publicURL(.thisRoost(report, passesLargeBodies: nil))
            return findings.count == 2 && findings[1].level == .warning ? findings[1].remedy ?? "" : ""
        }
        #expect(remedy(report(isForwarded: false)).contains("X-Forwarded-For"))
        #expect(remedy(report(isTrusted: false)).contains("--trusted-proxy 10.0.0.1"))
        #expect(remedy(report(host: "127.0.0.1:8080")).contains("Host"))
        #expect(remedy(report(isSecure: false)).contains("X-Forwarded-Proto"))
        #expect(remedy(report(client: "10.0.0.1")).contains("X-Forwarded-For"))
        let small = publicURL(.thisRoost(report(), passesLargeBodies: false)).last
        #expect(small?.level == .warning && small?.remedy?.contains("client_max_body_size") == true)
    }

    @Test(arguments: [
        PublicURLCheck.Reachability.misdirected, .other(status: 502, isRoost: false),
        .other(status: 404, isRoost: true), .failed(.failed(.resolve("roost.example.org"))),
    ])
    func `a public address that does not lead to this Roost is a problem`(answer: PublicURLCheck.Reachability)
    {
        let findings = publicURL(answer)
        #expect(findings.map(\.level) == [.problem])
        #expect(findings.first?.remedy?.isEmpty == false)
    }

    // MARK: Upstreams and clock

    private func upstream(_ outcome: ProbeOutcome) -> Finding {
        UpstreamCheck(name: "GitHub", url: "https://api.github.com", outcome: outcome).finding
    }

    @Test func `an upstream that answers is reachable, whatever it says`() {
        #expect(upstream(.answered(status: 200, date: nil)).level == .ok)
        #expect(upstream(.answered(status: 403, date: nil)).level == .ok)
        #expect(upstream(.answered(status: 503, date: nil)).level == .warning)
        #expect(upstream(.failed(.timeout)).level == .warning)
        #expect(upstream(.failed(.connect("refused"))).level == .problem)
        #expect(upstream(.failed(.resolve("api.github.com"))).remedy?.contains("DNS") == true)
        #expect(upstream(.failed(.untrusted("expired"))).remedy?.contains("clock") == true)
    }

    @Test(arguments: [
        ([0, 1], Finding.Level.ok), ([-90], .warning), ([400, 401], .problem), ([0, 1, 9_000], .ok),
        ([], .warning),
    ])
    func `the clock is compared with the servers' clocks`(offsets: [Int], level: Finding.Level) {
        #expect(ClockCheck(offsets: offsets).finding.level == level)
    }

    @Test func `the date of an answer is read in its only form`() {
        #expect(HTTPDate.parse("Sun, 06 Nov 1994 08:49:37 GMT") == Date(timeIntervalSince1970: 784_111_777))
        #expect(HTTPDate.parse("Sunday, 06-Nov-94 08:49:37 GMT") == nil)
        #expect(HTTPDate.parse("Sun, 06 Xyz 1994 08:49:37 GMT") == nil)
        #expect(HTTPDate.parse("") == nil)
    }
}
