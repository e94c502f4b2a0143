import Configuration
import Foundation
import RoostServices
import RoostSupport
import SystemPackage

/// Reads settings: flags override the environment, which overrides the file.
struct SettingsSource: Sendable {
    private let reader: ConfigReader

    /// - Throws: `SettingsError` if the file cannot be read, isn't a JSON object, or contains an unknown
    /// setting.
    init(flags: [String: String], environment: [String: String]) async throws {
        let file = flags[Setting.config.name] ?? environment[Setting.config.variable]
        let flagValues = flags.map {
            (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: true))
        }
        let variables = environment.filter { $0.key.hasPrefix("ROOST_") && !$0.value.isEmpty }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: Dictionary(uniqueKeysWithValues: flagValues)),
            EnvironmentVariablesProvider(environmentVariables: variables, secretsSpecifier: .all)
                .prefixKeys(with: "roost"),
        ]
        if let file { providers.append(try await Self.file(file)) }
        reader = ConfigReader(providers: providers)
    }

    func text(_ setting: Setting) -> String? {
        let key = ConfigKey([setting.name])
        return reader.string(forKey: key, isSecret: true)
            ?? reader.int(forKey: key, isSecret: true).map(String.init)
    }

    /// Returns a whole number, or throws `SettingsError` if it is out of bounds.
    func number(_ setting: Setting, in bounds: ClosedRange<Int>) throws -> Int? {
        guard let text = text(setting) else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw SettingsError(
                "\(setting.flag) takes a whole number from \(bounds.lowerBound) to \(bounds.upperBound), not “\(text)”."
            )
        }
        return number
    }

    /// Returns one of the options, or throws `SettingsError`.
    func choice(_ setting: Setting, of options: [String]) throws -> String? {
        guard let text = text(setting) else { return nil }
        guard options.contains(text) else {
            throw SettingsError("\(setting.flag) takes \(options.joined(separator: ", ")), not “\(text)”.")
        }
        return text
    }

    private static func file(_ path: String) async throws -> any ConfigProvider {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError("The settings file \(path) cannot be read.")
        }
        guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
            throw SettingsError("The settings file \(path) is not a JSON object.")
        }
        let names = Set(Setting.all.map(\.name)).subtracting([Setting.config.name])
        if let unknownName = object.keys.sorted().first(where: { !names.contains($0) }) {
            throw SettingsError("The settings file \(path) has the unknown setting “\(unknownName)”.")
        }
        do {
            return try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
        } catch {
            throw SettingsError("The settings file \(path) has a value that is neither a text nor a number.")
        }
    }
}

struct SettingsError: Error, CustomStringConvertible, Equatable {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Runs `work` and converts Roost's own errors to `SettingsError`.
    ///
    /// - Parameter settings: for the path of a damaged database, and where its backups are
    static func convertingErrors<Value>(
        of settings: Settings? = nil, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            guard let error = RoostError(storage: error) ?? error as? RoostError else { throw error }
            if let settings, error == .databaseDamaged(RoostError.damagedDatabase) {
                throw SettingsError(Services.damage(in: settings.dataFolder, backups: settings.backups))
            }
            throw SettingsError(error.message)
        }
    }
}
