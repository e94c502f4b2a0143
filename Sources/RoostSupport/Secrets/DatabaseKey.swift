import Foundation
package import Logging

/// Finds the key that a database is sealed with, and refuses any other.
package struct DatabaseKey: Sendable {
    let store: SecretKeyStore
    let folder: String
    let environment: [String: String]
    /// The file that the settings name.
    let keyFile: String?
    /// Every column with sealed values.
    let columns: [SealedColumn]
    let log: Logger

    package init(
        store: SecretKeyStore, folder: String, environment: [String: String], keyFile: String? = nil,
        columns: [SealedColumn], log: Logger
    ) {
        self.store = store
        self.folder = folder
        self.environment = environment
        self.keyFile = keyFile
        self.columns = columns
        self.log = log
    }

    private static let wrong = "The secret key is not the one that this database was sealed with."
    private static let missing = "The secret key that this database was sealed with is missing."

    /// The sealer for the server. A database without sealed values takes the key that is there, or a new one.
    ///
    /// - Returns: with the sealer, why it has no key, without any path; nil if it has the right one
    /// - Throws: `RoostError.unavailable` for a key file that cannot be used
    package func load() throws -> (sealer: Sealer, problem: String?) {
        let found = try Sealer.find(folder: folder, environment: environment, keyFile: keyFile)
        let record = try store.record()
        if let problem = try problem(found, record) {
            log.error("\(problem)")
            return (.withoutKey, found == nil ? Self.missing : Self.wrong)
        }
        let sealer = try found ?? Sealer.load(folder: folder, environment: environment, keyFile: keyFile)
        note(.init(fingerprint: sealer.fingerprint, path: sealer.path), over: record)
        warnOfSecondKey(besides: sealer)
        return (sealer, nil)
    }

    /// For commands, which need no key: warns of one that is found and is not this database's.
    package func warnOfWrongKey() throws {
        guard let found = try? Sealer.find(folder: folder, environment: environment, keyFile: keyFile),
            let fingerprint = try store.record()?.fingerprint, found.fingerprint != fingerprint,
            let problem = try problem(found, store.record())
        else { return }
        log.warning("\(problem)")
    }

    /// Why this key cannot be used for the database, in words for the operator; nil if it can.
    private func problem(_ found: Sealer?, _ record: SecretKeyStore.Record?) throws -> String? {
        let isOpen: Bool
        if let record {
            isOpen = record.fingerprint == nil || record.fingerprint == found?.fingerprint
        } else {
            isOpen = try store.opens(columns, with: found ?? .withoutKey) ?? true
        }
        guard !isOpen else { return nil }
        let last = record.map { " That key was last read from \($0.path)." } ?? ""
        let wrong =
            found.map { "The key in \($0.path) is not the key that this database was sealed with." }
            ?? "The key that this database was sealed with is missing: there is no \(folder)/\(SecretKeyFile.name)."
        return wrong + last
            + " Start Roost with the right key: put it there, or name its file with --key-file."
            + " If it is lost, `roost key forget` lets the next start use another one."
    }

    /// A disk that takes nothing more is no reason to stop.
    private func note(_ record: SecretKeyStore.Record, over known: SecretKeyStore.Record?) {
        guard record != known else { return }
        do { try store.put(record) } catch {
            log.warning("The fingerprint of the key could not be stored", metadata: ["error": "\(error)"])
        }
    }

    /// A key that is in the data folder, but not in use, might be backed up in place of the right one.
    private func warnOfSecondKey(besides sealer: Sealer) {
        let path = folder + "/" + SecretKeyFile.name
        guard sealer.path != path,
            let other = try? Sealer.find(folder: folder, environment: [:]),
            other.fingerprint != sealer.fingerprint
        else { return }
        log.warning("\(path) is not in use and opens nothing: the key to back up is \(sealer.path)")
    }
}
