import Foundation
import Glibc
import Synchronization
import TextFormats

/// Removes known secrets from log lines and upstream responses.
///
/// Only the hashes of sessions and API tokens are known; `redacted(inLine:)` finds those by their format.
package final class SecretRedactor: Sendable {
    /// In bytes. Shorter texts occur in ordinary words.
    static let minimumBytes = 12
    /// Secrets with the same first bytes are searched together; most texts contain none of these beginnings.
    private static let prefixBytes = 4
    private static let mark = Array("…".utf8)
    /// 32 random bytes as base64url.
    private static let secretLength = 43

    private struct State {
        /// Keyed by their first bytes. Each list is sorted, and no secret in it is a prefix of another.
        var groups: [[UInt8]: [[UInt8]]] = [:]
        var isSession: @Sendable ([UInt8]) -> Bool = { _ in false }
    }

    private let state = Mutex(State())

    package init() {}

    /// Adds a secret until the process ends: an upstream may repeat it after Roost has deleted it.
    package func note(_ secret: String?) {
        guard let secret, secret.utf8.count >= Self.minimumBytes else { return }
        state.withLock { state in
            for form in Self.forms(of: secret) {
                var group = state.groups[Array(form.prefix(Self.prefixBytes))] ?? []
                guard !group.contains(where: { form.starts(with: $0) }) else { continue }
                group.removeAll { $0.starts(with: form) }
                let index = group.firstIndex { form.lexicographicallyPrecedes($0) } ?? group.endIndex
                group.insert(form, at: index)
                state.groups[Array(form.prefix(Self.prefixBytes))] = group
            }
        }
    }

    /// - Parameter isSession: returns true for the hash of a session's secret; called while logging, so it must not log
    package func recognizeSessions(_ isSession: @escaping @Sendable ([UInt8]) -> Bool) {
        state.withLock { $0.isSession = isSession }
    }

    /// Replaces each secret with a mark.
    ///
    /// - Parameter own: the request's own secret, of any length
    package func redacted(in bytes: [UInt8], own: String? = nil) -> [UInt8] {
        var bytes = bytes
        if let own, !own.isEmpty {
            for form in Self.forms(of: own) { bytes = Self.redacting([form], prefix: form, in: bytes) }
        }
        for (prefix, group) in state.withLock(\.groups) {
            bytes = Self.redacting(group, prefix: prefix, in: bytes)
        }
        return bytes
    }

    package func redacted(in text: String, own: String? = nil) -> String {
        let bytes = Array(text.utf8)
        let left = redacted(in: bytes, own: own)
        return left.count == bytes.count && left == bytes ? text : String(decoding: left, as: UTF8.self)
    }

    /// Also hides session secrets and API tokens, for a line of the log.
    package func redacted(inLine line: String) -> String {
        let bytes = Array(redacted(in: line).utf8)
        let isSession = state.withLock(\.isSession)
        var left: [UInt8] = []
        var run = bytes.startIndex
        for index in 0...bytes.count {
            if index < bytes.count, Self.isOfSecret(bytes[index]) { continue }
            let text = bytes[run..<index]
            let isAPIToken =
                text.count == Self.secretLength + 6 && text.starts(with: "roost_".utf8)
            let isSecret =
                isAPIToken
                || text.count == Self.secretLength
                    && isSession(Secret.hash(String(decoding: text, as: UTF8.self)))
            left += isSecret ? Self.mark[...] : text
            if index < bytes.count { left.append(bytes[index]) }
            run = index + 1
        }
        return String(decoding: left, as: UTF8.self)
    }

    private static func isOfSecret(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    private static func forms(of secret: String) -> Set<[UInt8]> {
        [
            Array(secret.utf8), Array(PercentEncoding.encode(secret).utf8),
            Array(secret.replacingBytes(of: "/", with: "\\/").utf8),
        ]
    }

    private static func redacting(_ secrets: [[UInt8]], prefix: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        let found = bytes.withUnsafeBytes { bytes in
            var found: [Range<Int>] = []
            guard let start = bytes.baseAddress, let first = prefix.first else { return found }
            var offset = 0
            while let hit = memchr(start + offset, Int32(first), bytes.count - offset) {
                let index = UnsafeRawPointer(hit) - start
                guard index + prefix.count <= bytes.count else { break }
                guard memcmp(hit, prefix, prefix.count) == 0 else {
                    offset = index + 1
                    continue
                }
                let length = length(of: secrets, at: UnsafeRawBufferPointer(rebasing: bytes[index...]))
                if let length { found.append(index..<index + length) }
                offset = index + (length ?? 1)
            }
            return found
        }
        guard !found.isEmpty else { return bytes }
        var left: [UInt8] = []
        var end = 0
        for range in found {
            left += bytes[end..<range.lowerBound] + mark
            end = range.upperBound
        }
        return left + bytes[end...]
    }

    /// Returns the length of the secret at the start of the bytes. Only the last secret that sorts at or before them
    /// can match.
    private static func length(of secrets: [[UInt8]], at bytes: UnsafeRawBufferPointer) -> Int? {
        var (low, high) = (0, secrets.count)
        while low < high {
            let middle = (low + high) / 2
            if isAfter(secrets[middle], bytes) { high = middle } else { low = middle + 1 }
        }
        guard low > 0, let start = bytes.baseAddress else { return nil }
        let secret = secrets[low - 1]
        let isMatch = secret.count <= bytes.count && memcmp(secret, start, secret.count) == 0
        return isMatch ? secret.count : nil
    }

    private static func isAfter(_ secret: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        let order = memcmp(secret, start, min(secret.count, bytes.count))
        return order == 0 ? secret.count > bytes.count : order > 0
    }
}
