import Foundation
import Testing

@testable import roost

/// The documentation of the settings matches the program.
@Suite struct SettingsTableTests {
    private static let folder = TestFiles.root + "/Sources/roost/roost.docc"

    @Test func `the table in Settings.md lists every setting in order, and nothing else`() throws {
        let article = try TestFiles.text(Self.folder + "/Settings.md")
        let rows = article.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == Setting.all.map(row))
    }

    @Test func `Settings.md names no unknown flag`() throws {
        let article = try TestFiles.text(Self.folder + "/Settings.md")
        let flags = article.matches(of: #/--[a-z]+(-[a-z]+)*/#).map { String($0.output.0) }
        #expect(Set(flags) == Set(Setting.all.map(\.flag)).union(["--help"]))
    }

    @Test func `no article names an unknown variable`() throws {
        let settingVariables = Set(Setting.all.map(\.variable))
        let articles = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
            .filter { $0.hasSuffix(".md") }.map { Self.folder + "/" + $0 }
        #expect(articles.count > 20)
        for path in articles + [TestFiles.root + "/README.md"] {
            let variables = try TestFiles.text(path).matches(of: #/ROOST_[A-Z]+(_[A-Z]+)*/#)
                .map { String($0.output.0) }
            #expect(settingVariables.isSuperset(of: variables), "\(path)")
        }
    }

    @Test func `names are unique and valid as flags, variables and keys`() {
        #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
        for setting in Setting.all {
            #expect(setting.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
            #expect(setting.variable.wholeMatch(of: /ROOST_[A-Z]+(_[A-Z]+)*/) != nil)
        }
    }

    @Test func `only CoinGecko's key, the model's key and GitHub's secret and token are secrets`() {
        #expect(
            Setting.all.filter(\.isSecret) == [.coinGeckoKey, .gitHubClientSecret, .gitHubToken, .gistAPIKey])
    }

    /// The settings file cannot name itself, so `config` has no key.
    private func row(_ setting: Setting) -> String {
        let key = setting == .config ? "" : "`\(setting.name)`"
        let cells = ["`\(setting.flag)`", "`\(setting.variable)`", key, setting.standard, setting.meaning]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}
