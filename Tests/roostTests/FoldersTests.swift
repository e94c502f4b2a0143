import Foundation
import Testing

@testable import roost

/// Where Roost looks for its data and assets.
@Suite struct FoldersTests {
    @Test func `data is in the XDG data folder`() {
        #expect(Folders.data(environment: ["XDG_DATA_HOME": "/srv/data"]) == "/srv/data/roost")
    }

    @Test(arguments: [[:], ["XDG_DATA_HOME": "relative/is/invalid"], ["XDG_DATA_HOME": ""]])
    func `without a valid XDG folder data is in the home folder`(_ environment: [String: String]) {
        #expect(Folders.data(environment: environment) == NSHomeDirectory() + "/.local/share/roost")
    }

    @Test func `a configured folder without the page's files is refused, even if others exist`() throws {
        let folder = try TestFiles.temporaryFolder(["Public"])
        defer { TestFiles.remove(folder) }
        #expect(throws: SettingsError("--assets \(folder) has no folder Public.")) {
            try Folders.assets(requested: folder, workingFolder: TestFiles.root)
        }
    }

    @Test func `the assets are found from any folder below them`() throws {
        let folder = try TestFiles.temporaryFolder(["Public/css", "deep/below"])
        defer { TestFiles.remove(folder) }
        try Data().write(to: URL(fileURLWithPath: folder + "/Public/css/roost.css"))
        #expect(try Folders.assets(requested: nil, workingFolder: folder + "/deep/below") == folder)
        #expect(try Folders.assets(requested: folder, workingFolder: "/") == folder)
    }

    @Test func `only the installed program reads the package's settings by default`() {
        let path = "/etc/roost/roost.json"
        #expect(Folders.installedSettings(program: "/usr/bin/roost", exists: { $0 == path }) == path)
        #expect(Folders.installedSettings(program: "/usr/bin/roost", exists: { _ in false }) == nil)
        #expect(
            Folders.installedSettings(program: "/home/ada/roost/.build/release/roost", exists: { _ in true })
                == nil)
    }

    @Test func `installed assets are found in share next to the program's folder`() throws {
        let prefix = try TestFiles.temporaryFolder(["bin", "share/roost/Public/css"])
        defer { TestFiles.remove(prefix) }
        try Data().write(to: URL(fileURLWithPath: prefix + "/share/roost/Public/css/roost.css"))
        #expect(try Folders.assets(requested: nil, workingFolder: prefix + "/bin") == prefix + "/share/roost")
    }
}
