import Configuration
import Foundation
import RoostSupport
import SystemPackage

/// Where settings come from: flags before environment before file.
struct SettingsSource: Sendable {
    private let reader: ConfigReader

    /// Throws `SettingsError` for a file that cannot be read, is no JSON object, or names a setting that there is not.
    init(flags: [String: String], environment: [String: String]) async throws {
        let file = flags[Setting.config.name] ?? environment[Setting.config.variable]
        let given = flags.map {
            (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: true))
        }
        let variables = environment.filter { $0.key.hasPrefix("ROOST_") && !$0.value.isEmpty }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: Dictionary(uniqueKeysWithValues: given)),
            EnvironmentVariablesProvider(environmentVariables: variables, secretsSpecifier: .all)
                .prefixKeys(with: "roost"),
        ]
        if let file { providers.append(try await Self.file(file)) }
        reader = ConfigReader(providers: providers)
    }

    /// The text of a setting, nil where nobody set it.
    func text(_ setting: Setting) -> String? {
        let key = ConfigKey([setting.name])
        return reader.string(forKey: key, isSecret: true)
            ?? reader.int(forKey: key, isSecret: true).map(String.init)
    }

    /// A whole number within bounds. Throws `SettingsError`.
    func number(_ setting: Setting, in bounds: ClosedRange<Int>) throws -> Int? {
        guard let text = text(setting) else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw SettingsError(
                "\(setting.flag) takes a whole number from \(bounds.lowerBound) to \(bounds.upperBound), not “\(text)”."
            )
        }
        return number
    }

    /// One of a few words. Throws `SettingsError`.
    func choice(_ setting: Setting, of words: [String]) throws -> String? {
        guard let text = text(setting) else { return nil }
        guard words.contains(text) else {
            throw SettingsError("\(setting.flag) takes \(words.joined(separator: ", ")), not “\(text)”.")
        }
        return text
    }

    private static func file(_ path: String) async throws -> any ConfigProvider {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError("The settings file \(path) cannot be read.")
        }
        guard let object = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] else {
            throw SettingsError("The settings file \(path) is no JSON object.")
        }
        let names = Set(Setting.all.map(\.name)).subtracting([Setting.config.name])
        if let stranger = object.keys.sorted().first(where: { !names.contains($0) }) {
            throw SettingsError("The settings file \(path) names “\(stranger)”, which is no setting.")
        }
        do {
            return try await FileProvider<JSONSnapshot>(filePath: FilePath(path))
        } catch {
            throw SettingsError("The settings file \(path) has a value that is neither text nor a number.")
        }
    }
}

/// What is wrong with the settings, in words for the terminal.
struct SettingsError: Error, CustomStringConvertible, Equatable {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Runs `work`, and turns what Roost says in words into what the command line says.
    static func inWords<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            guard let error = RoostError(storage: error) ?? error as? RoostError else { throw error }
            throw SettingsError(error.message)
        }
    }
}
