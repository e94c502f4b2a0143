import Testing
import roost

/// The README's settings table says what the program does.
@Suite struct SettingsTableTests {
    @Test func `the README's table lists every setting as it is, in order`() throws {
        let readme = try TestFiles.text(TestFiles.root + "/README.md")
        let table = readme.split(separator: "\n").drop { !$0.hasPrefix("| flag | variable |") }
        let rows = table.dropFirst(2).prefix { $0.hasPrefix("|") }.map(String.init)
        #expect(rows == Setting.all.map(row))
    }

    @Test func `names are unique and can be flags, variables and keys`() {
        #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
        for setting in Setting.all {
            #expect(setting.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
            #expect(setting.variable.wholeMatch(of: /ROOST_[A-Z]+(_[A-Z]+)*/) != nil)
        }
    }

    @Test func `only CoinGecko's key and GitHub's secret and token are secrets`() {
        #expect(Setting.all.filter(\.isSecret) == [.coinGeckoKey, .gitHubClientSecret, .gitHubToken])
    }

    /// The file cannot name itself: there the key's cell stays empty.
    private func row(_ setting: Setting) -> String {
        let key = setting == .config ? "" : "`\(setting.name)`"
        let cells = ["`\(setting.flag)`", "`\(setting.variable)`", key, setting.standard, setting.meaning]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}
