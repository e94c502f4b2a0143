package import Accounts
import Foundation
import RoostServices
package import RoostSupport

/// The users of the tests, and their devices.
package enum Cast {
    package static let password = "a lantern over water"
    package static let otherPassword = "seven grey herons"

    /// Somewhere on the LAN.
    package static let desk = ClientInfo(address: "192.168.1.7", device: "Firefox on Linux")
    package static let phone = ClientInfo(address: "192.168.1.8", device: "Safari on iPhone")
    /// The machine that Roost runs on.
    package static let here = ClientInfo(
        address: "127.0.0.1", device: "Chrome on Linux", isOnThisMachine: true)
}

/// Runs the body with loaded services that hash passwords fast.
@discardableResult
package func withAccounts<Value>(_ body: (ServicesFixture) async throws -> Value) async throws -> Value {
    try await withServices(plan: .keyless, { $0.passwordCost = .cheap }) { fixture in
        try await fixture.services.load()
        return try await body(fixture)
    }
}

extension ServicesFixture {
    @discardableResult
    package func add(
        _ name: String, _ role: User.Role = .member, email: String? = nil, displayName: String? = nil
    ) async throws -> User {
        try await services.identity.accounts.add(
            Profile(username: name, email: email, displayName: displayName), role: role,
            password: Cast.password)
    }

    package func signIn(
        _ name: String, _ password: String = Cast.password, replacing old: String? = nil,
        from origin: ClientInfo = Cast.desk
    ) async throws -> SessionService.NewSession {
        try await services.identity.sessions.signIn(name, password: password, replacing: old, from: origin)
    }

    package func isSignedIn(_ newSession: SessionService.NewSession) -> Bool {
        services.identity.sessions.find(secret: newSession.secret, from: Cast.desk.address) != nil
    }

    /// The kinds of all entries of the audit log, oldest first.
    package func logged() async throws -> [AuditEntry.Kind] {
        try await services.identity.audit.entries().map(\.kind).reversed()
    }

    /// The newest entry of the audit log as text: "roleChanged ada>grace 192.168.1.7 owner".
    package func newest() async throws -> String? {
        try await services.identity.audit.entries().first.map {
            "\($0.kind) \($0.actor)>\($0.subject) \($0.address) \($0.detail)"
        }
    }

    /// Whether any file of the data folder contains this text.
    package func isOnDisk(_ text: String) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder).contains { file in
            try Data(contentsOf: URL(filePath: folder + "/" + file)).range(of: Data(text.utf8)) != nil
        }
    }

    /// Runs the background work during the body, then ends it, so that all pending writes are done.
    package func whileRunning(_ body: () async throws -> Void) async throws {
        let work = Task { await services.run() }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        work.cancel()
        await work.value
        try result.get()
    }
}

/// The error that the work throws, or nil.
package func refusal(_ work: () async throws -> Void) async -> RoostError? {
    do {
        try await work()
        return nil
    } catch {
        return error as? RoostError
    }
}

extension RoostError {
    /// The field of a refused form: "email".
    package var field: String? {
        switch self {
        case .invalid(let field, _), .conflict(let field, _): field
        default: nil
        }
    }

    package var isConflict: Bool { if case .conflict = self { true } else { false } }
    package var isNotFound: Bool { if case .notFound = self { true } else { false } }

    /// The whole seconds of "too many tries".
    package var wait: Int? { if case .tooMany(_, let seconds) = self { seconds } else { nil } }
}
