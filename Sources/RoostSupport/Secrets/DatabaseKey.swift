import Foundation
package import GRDB
package import Logging

/// Finds the key that seals a database's secrets, and rejects any other.
package struct DatabaseKey: Sendable {
    let pool: DatabasePool
    let folder: String
    let environment: [String: String]
    let keyFile: String?
    let columns: [SealedColumn]
    let log: Logger

    package init(
        pool: DatabasePool, folder: String, environment: [String: String], keyFile: String? = nil,
        columns: [SealedColumn], log: Logger
    ) {
        self.pool = pool
        self.folder = folder
        self.environment = environment
        self.keyFile = keyFile
        self.columns = columns
        self.log = log
    }

    private static let wrong = "The secret key is not the one that this database was sealed with."
    private static let missing = "The secret key that this database was sealed with is missing."

    /// Returns the sealer for the server. A database without sealed values accepts the key found, or a new one.
    ///
    /// - Returns: the sealer and, if it has no key, the reason for users, without any path
    /// - Throws: `RoostError.unavailable` for a key file that cannot be used
    package func load() throws -> (sealer: Sealer, problem: String?) {
        let found = try Sealer.find(folder: folder, environment: environment, keyFile: keyFile)
        let record = try pool.read { try Reads($0).secretKey() }
        if let problem = try problem(found, record) {
            log.error("\(problem)")
            return (.withoutKey, found == nil ? Self.missing : Self.wrong)
        }
        let sealer = try found ?? Sealer.load(folder: folder, environment: environment, keyFile: keyFile)
        note(.init(fingerprint: sealer.fingerprint, path: sealer.path), over: record)
        warnOfSecondKey(besides: sealer)
        return (sealer, nil)
    }

    /// Warns of a key that is not this database's. For commands, which need no key.
    package func warnOfWrongKey() throws {
        guard let found = try? Sealer.find(folder: folder, environment: environment, keyFile: keyFile),
            let record = try pool.read({ try Reads($0).secretKey() }),
            let fingerprint = record.fingerprint, found.fingerprint != fingerprint,
            let problem = try problem(found, record)
        else { return }
        log.warning("\(problem)")
    }

    /// Explains to the operator why this key cannot be used for the database; nil if it can.
    private func problem(_ found: Sealer?, _ record: SecretKeyStore.Record?) throws -> String? {
        let isAccepted: Bool
        if let record {
            isAccepted = record.fingerprint == nil || record.fingerprint == found?.fingerprint
        } else {
            isAccepted = try pool.read { try Reads($0).opens(columns, with: found ?? .withoutKey) } ?? true
        }
        guard !isAccepted else { return nil }
        let last = record.map { " That key was last read from \($0.path)." } ?? ""
        let wrong =
            found.map { "The key in \($0.path) is not the key that this database was sealed with." }
            ?? "The key that this database was sealed with is missing: there is no \(folder)/\(SecretKeyFile.name)."
        return wrong + last
            + " Start Roost with the right key: put it there, or set --key-file."
            + " If it is lost, `roost key forget` lets the next start use another one."
    }

    /// Which key a server would use for the database in a folder, without changing anything.
    package struct Report: Equatable, Sendable {
        /// The file of the key, or nil without one.
        package let path: String?
        /// Why the key cannot be read; a sentence.
        package let failure: String?
        /// Whether it is the key that the database was sealed with; nil if the database names none.
        package let isRight: Bool?
        /// Where the database's key was last read from.
        package let lastPath: String?

        package init(path: String?, failure: String? = nil, isRight: Bool? = nil, lastPath: String? = nil) {
            self.path = path
            self.failure = failure
            self.isRight = isRight
            self.lastPath = lastPath
        }
    }

    package static func report(folder: String, environment: [String: String], keyFile: String?) -> Report {
        let found: Sealer?
        do {
            found = try Sealer.find(folder: folder, environment: environment, keyFile: keyFile)
        } catch {
            return Report(path: keyFile, failure: (error as? RoostError)?.message ?? "\(error)")
        }
        let path = folder + "/" + Database.fileName
        guard FileManager.default.fileExists(atPath: path) else { return Report(path: found?.path) }
        do {
            let queue = try DatabaseCheck.open(path)
            let record = try queue.read { database in
                try database.tableExists("secret_key") ? try Reads(database).secretKey() : nil
            }
            try queue.close()
            return Report(
                path: found?.path, isRight: record?.fingerprint.map { $0 == found?.fingerprint },
                lastPath: record?.path)
        } catch {
            let why = (RoostError(storage: error) ?? error as? RoostError)?.message ?? "\(error)"
            return Report(path: found?.path, failure: "The database cannot be read: \(why)")
        }
    }

    /// Ignores failures, such as a full disk.
    private func note(_ record: SecretKeyStore.Record, over previous: SecretKeyStore.Record?) {
        guard record != previous else { return }
        do { try pool.write { try Writes($0).setSecretKey(record) } } catch {
            log.warning("The fingerprint of the key could not be stored", metadata: ["error": "\(error)"])
        }
    }

    /// An unused key in the data folder might be backed up by mistake.
    private func warnOfSecondKey(besides sealer: Sealer) {
        let path = folder + "/" + SecretKeyFile.name
        guard sealer.path != path,
            let other = try? Sealer.find(folder: folder, environment: [:]),
            other.fingerprint != sealer.fingerprint
        else { return }
        log.warning("\(path) is not in use. Back up \(sealer.path) instead.")
    }
}
