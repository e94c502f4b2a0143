import Configuration
import Foundation
import HTTPServer
import RoostServices
import RoostSupport

/// Reads settings: flags override the environment, which overrides the file.
struct SettingsSource: Sendable {
    private let reader: ConfigReader

    /// - Throws: `SettingsError` if the file cannot be read, isn't a JSON object, or contains an unknown
    /// setting.
    init(flags: [String: String], environment: [String: String]) async throws {
        let file =
            flags[Setting.config.name] ?? environment[Setting.config.variable] ?? Folders.installedSettings()
        let flagValues = flags.map {
            (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: true))
        }
        let variables = environment.filter { $0.key.hasPrefix("ROOST_") && !$0.value.isEmpty }
        var providers: [any ConfigProvider] = [
            InMemoryProvider(name: "flags", values: Dictionary(uniqueKeysWithValues: flagValues)),
            EnvironmentVariablesProvider(environmentVariables: variables, secretsSpecifier: .all)
                .prefixKeys(with: "roost"),
        ]
        if let file { providers.append(try Self.file(file)) }
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

    private static func file(_ path: String) throws -> any ConfigProvider {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SettingsError("The settings file \(path) cannot be read.")
        }
        let decoder = JSONDecoder()
        // Comments and trailing commas.
        decoder.allowsJSON5 = true
        let values: [String: FileValue]
        do { values = try decoder.decode([String: FileValue].self, from: data) } catch {
            let name: (any CodingKey)? =
                switch error {
                case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
                    context.codingPath.first
                default: nil
                }
            guard let name else { throw SettingsError("The settings file \(path) is not a JSON object.") }
            throw SettingsError(
                "“\(name.stringValue)” in the settings file \(path) must be a string or a number.")
        }
        let names = Set(Setting.all.map(\.name)).subtracting([Setting.config.name])
        if let unknownName = values.keys.sorted().first(where: { !names.contains($0) }) {
            throw SettingsError("The settings file \(path) has the unknown setting “\(unknownName)”.")
        }
        let pairs = values.map {
            (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value.text), isSecret: true))
        }
        return InMemoryProvider(name: path, values: Dictionary(uniqueKeysWithValues: pairs))
    }

    /// A text or a whole number.
    private struct FileValue: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                text = String(number)
            } else {
                text = try container.decode(String.self)
            }
        }
    }
}

struct SettingsError: Error, CustomStringConvertible, Equatable {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Names the setting that chooses another address.
    init(listening error: ServerError) {
        self.init("\(error) Choose another address with --listen, such as --listen 8081.")
    }

    /// Runs `work` and converts Roost's own errors, and those of listening, to `SettingsError`.
    ///
    /// - Parameter settings: for the path of a damaged database, and where its backups are
    static func convertingErrors<Value>(
        of settings: Settings? = nil, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            if let error = error as? ServerError { throw SettingsError(listening: error) }
            guard let error = RoostError(storage: error) ?? error as? RoostError else { throw error }
            if let settings, error == .databaseDamaged(RoostError.damagedDatabase) {
                throw SettingsError(Services.damage(in: settings.dataFolder, backups: settings.backups))
            }
            throw SettingsError(error.message)
        }
    }
}
