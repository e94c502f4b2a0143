import Foundation

@testable import Accounts
@testable import RoostServices
@testable import RoostSupport

/// The people of the tests, and where they sit.
enum Cast {
    static let password = "a lantern over water"
    static let otherPassword = "seven grey herons"

    /// Somewhere on the LAN.
    static let desk = ClientInfo(address: "192.168.1.7", device: "Firefox on Linux")
    static let phone = ClientInfo(address: "192.168.1.8", device: "Safari on iPhone")
    /// The machine that Roost runs on.
    static let here = ClientInfo(address: "127.0.0.1", device: "Chrome on Linux", isOnThisMachine: true)
}

/// Services with cheap passwords, ready to be asked.
@discardableResult
func withAccounts<Value>(_ body: (ServicesFixture) async throws -> Value) async throws -> Value {
    try await withServices(plan: .keyless, { $0.passwordCost = .cheap }) { fixture in
        try await fixture.services.prepare()
        return try await body(fixture)
    }
}

extension ServicesFixture {
    @discardableResult
    func add(
        _ name: String, _ role: User.Role = .member, email: String? = nil, displayName: String? = nil
    ) async throws -> User {
        try await services.accounts.add(
            Profile(username: name, email: email, displayName: displayName), role: role,
            password: Cast.password)
    }

    func signIn(
        _ name: String, _ password: String = Cast.password, replacing old: String? = nil,
        from origin: ClientInfo = Cast.desk
    ) async throws -> SessionService.NewSession {
        try await services.sessions.signIn(name, password: password, replacing: old, from: origin)
    }

    func isSignedIn(_ begun: SessionService.NewSession) -> Bool {
        services.sessions.find(secret: begun.secret, from: Cast.desk.address) != nil
    }

    /// The kinds of all entries of the audit log, the oldest first.
    func logged() async throws -> [AuditEntry.Kind] {
        try await services.audit.entries().map(\.kind).reversed()
    }

    /// The newest entry of the audit log as text: "roleChanged ada>grace 192.168.1.7 owner".
    func newest() async throws -> String? {
        try await services.audit.entries().first.map {
            "\($0.kind) \($0.actor)>\($0.subject) \($0.address) \($0.detail)"
        }
    }

    /// True when these words stand anywhere in the files of the data folder.
    func isOnDisk(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder).contains { file in
            try Data(contentsOf: URL(filePath: folder + "/" + file)).range(of: Data(text.utf8)) != nil
        }
    }

    /// Starts the background work, and ends it once the body is through: so all is written down that has to be.
    func whileRunning(_ body: () async throws -> Void) async throws {
        let work = Task { await services.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        work.cancel()
        await work.value
        try result.get()
    }
}

/// The error that the work throws, nil for none.
func refusal(_ work: () async throws -> Void) async -> RoostError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? RoostError
    }
}

extension RoostError {
    /// The field of a refused form: "email".
    var field: String? {
        switch self {
        case .invalid(let field, _), .conflict(let field, _): field
        default: nil
        }
    }

    var isConflict: Bool { if case .conflict = self { true } else { false } }
    var isNotFound: Bool { if case .notFound = self { true } else { false } }

    /// Of "too many tries": whole seconds.
    var wait: Int? { if case .tooMany(_, let seconds) = self { seconds } else { nil } }
}
