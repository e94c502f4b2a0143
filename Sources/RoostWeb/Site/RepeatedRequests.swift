import Accounts
import Foundation
import HTTPServer
import RoostSupport
import Synchronization

/// Answers a repeated request with the same `Idempotency-Key` as the first time, without carrying it out again
/// (draft-ietf-httpapi-idempotency-key-header).
///
/// The key is stored by the transaction that carries out the request, so that a crash keeps both or neither.
///
/// It owns the work of these requests, which continues when a client leaves and ends at shutdown.
final class RepeatedRequests: Sendable {
    static let header = "Idempotency-Key"
    /// Marks the answer to a repeated request.
    static let replayHeader = "Idempotent-Replayed"
    private static let keptHeaders = ["content-type", "location", "etag", "cache-control"]

    private struct State {
        var isStopped = false
        /// The requests that are being answered, by user and key.
        var work: [String: Task<HandlerResult, any Error>] = [:]
    }

    private let database: Database
    private let clock: WallClock
    private let state = Mutex(State())

    init(database: Database, clock: WallClock) {
        self.database = database
        self.clock = clock
    }

    /// Returns nil without the header. Throws `RoostError.invalid` for a key that is empty, too long or not printable.
    private static func key(of request: Request) throws -> String? {
        guard var key = request.headers[header]?.utf8[...] else { return nil }
        // The draft's form is a quoted string.
        let quote = UInt8(ascii: "\"")
        if key.count >= 2, key.first == quote, key.last == quote { key = key.dropFirst().dropLast() }
        guard (1...255).contains(key.count), key.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw RoostError.invalid(
                field: header,
                why: "An Idempotency-Key has 1 to 255 printable ASCII characters without spaces.")
        }
        return String(Substring(key))
    }

    /// Calls `handle`, unless the request repeats one of the last day. Throws `RoostError.conflict` while that is in
    /// progress, `.invalid` if it was another, and `.unavailable` after `stop`.
    ///
    /// - Parameter secret: the name of a member of the answer that is not kept: it is missing when the answer is repeated
    func answer(
        _ request: Request, _ user: User, without secret: String? = nil,
        _ handle: @escaping @Sendable (Request, User) async throws -> HandlerResult
    ) async throws -> HandlerResult {
        guard let key = try Self.key(of: request) else { return try await handle(request, user) }
        let keyed = KeyedRequest(
            key: key, user: user.userId,
            parts: [Array(request.method.rawValue.utf8), Array(request.target.utf8), request.body])
        let name = "\(user.userId) \(key)"
        return try await begin(name) {
            try await self.answer(keyed, without: secret) { try await handle(request, user) }
        }.value
    }

    /// Starts the work in a task of its own: it continues when the client leaves, which is when the client repeats the
    /// request.
    private func begin(
        _ name: String, _ work: @escaping @Sendable () async throws -> HandlerResult
    ) throws -> Task<HandlerResult, any Error> {
        try state.withLock { state in
            guard !state.isStopped else {
                throw RoostError.unavailable("Roost is stopping. Send the request again in a moment.")
            }
            guard state.work[name] == nil else {
                throw RoostError.conflict(
                    field: Self.header, why: "The request with this Idempotency-Key is still in progress.")
            }
            let task = Task {
                defer { self.state.withLock { _ = $0.work.removeValue(forKey: name) } }
                return try await work()
            }
            state.work[name] = task
            return task
        }
    }

    /// Cancels the requests that are being answered, refuses new ones, and returns when all have ended.
    func stop() async {
        let work = state.withLock { state in
            state.isStopped = true
            return Array(state.work.values)
        }
        for task in work { task.cancel() }
        for task in work { _ = await task.result }
    }

    private func answer(
        _ keyed: KeyedRequest, without secret: String?, _ handle: @Sendable () async throws -> HandlerResult
    ) async throws -> HandlerResult {
        let now = clock.now()
        if let known = try await database.read({ try $0.keyedAnswer(to: keyed, at: now) }) {
            guard let known else {
                throw RoostError.conflict(
                    field: Self.header,
                    why: "The request was carried out, but its answer is lost. Look before you send it again."
                )
            }
            return .response(Self.response(known))
        }
        let first = FirstWrite { try $0.begin(keyed, at: now) }
        defer { first.close() }
        let result: HandlerResult
        do {
            result = try await FirstWrite.$current.withValue(first, operation: handle)
        } catch {
            // Only a refusal may be sent again: after any other error the request may have been carried out.
            if first.isDone, Failure(error).status < 500 {
                try? await database.write { try $0.forget(keyed) }
            }
            throw error
        }
        guard case .response(let response) = result, let answer = Self.answer(response, without: secret)
        else {
            return result
        }
        try await database.write { try $0.end(keyed, with: answer, at: now) }
        return result
    }

    private static func answer(_ response: Response, without secret: String?) -> KeyedAnswer? {
        guard (200...299).contains(response.status) else { return nil }
        let body: [UInt8]
        switch response.body {
        case .empty: body = []
        case .bytes(let bytes): body = secret.map { Self.body(bytes, without: $0) } ?? bytes
        case .stream, .truncated, .reset: return nil
        }
        let headers = response.headers.filter { keptHeaders.contains($0.name.lowercased()) }
        return KeyedAnswer(status: response.status, headers: headers.map { [$0.name, $0.value] }, body: body)
    }

    /// Returns an empty object if the body is not an object.
    private static func body(_ bytes: [UInt8], without secret: String) -> [UInt8] {
        var members = (try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]) ?? [:]
        members[secret] = nil
        let rest = try? JSONSerialization.data(
            withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
        return rest.map(Array.init) ?? Array("{}".utf8)
    }

    private static func response(_ answer: KeyedAnswer) -> Response {
        let headers = answer.headers.filter { $0.count == 2 }.map { (name: $0[0], value: $0[1]) }
        return Response(
            status: answer.status, headers: headers + [(name: replayHeader, value: "true")],
            body: answer.body.isEmpty ? .empty : .bytes(answer.body))
    }
}
