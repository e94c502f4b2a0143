import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// The protocol between a test's clients and servers.
enum Transport {
    case plain, tls

    @TaskLocal static var current = Transport.plain

    /// The ports on which this process serves TLS: clients look up their address here.
    private static let portsWithTLS = Mutex<Set<Substring>>([])

    static func isTLS(_ address: String) -> Bool {
        portsWithTLS.withLock { $0.contains(port(address)) }
    }

    /// Starts a server, with TLS if the test's trait requires it.
    static func start(
        _ routes: [Route], configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> Server {
        var configuration = ServerConfiguration()
        if current == .tls { configuration.tls = try TestIdentity.shared.value.identity }
        configure(&configuration)
        let server = Server(configuration, router: try Router(routes))
        try server.start()
        let isTLS = configuration.tls != nil
        portsWithTLS.withLock { ports in
            if isTLS { ports.insert(port(server.address)) } else { ports.remove(port(server.address)) }
        }
        return server
    }

    private static func port(_ address: String) -> Substring {
        address.split(separator: ":").last ?? ""
    }
}

/// Runs each test over plain TCP and, in `Tests/run --all`, again over TLS.
struct BothTransports: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        guard AllTests.areWanted else { return }
        try await Transport.$current.withValue(.tls) { try await function() }
    }
}

extension Trait where Self == BothTransports {
    static var bothTransports: Self { Self() }
}
