import Foundation
import Testing
import roost

/// Where data and assets are looked for.
@Suite struct FoldersTests {
    @Test func `data lies where the XDG specification says`() {
        #expect(Folders.data(environment: ["XDG_DATA_HOME": "/srv/data"]) == "/srv/data/roost")
    }

    @Test(arguments: [[:], ["XDG_DATA_HOME": "relative/is/invalid"], ["XDG_DATA_HOME": ""]])
    func `without a valid XDG folder data lies in the home folder`(_ environment: [String: String]) {
        #expect(Folders.data(environment: environment) == NSHomeDirectory() + "/.local/share/roost")
    }

    @Test func `a wished folder without templates is refused, though others would be found`() throws {
        let folder = try TestFiles.temporaryFolder(["Public"])
        defer { TestFiles.remove(folder) }
        #expect(throws: SettingsError("--assets \(folder) holds no folders Templates and Public.")) {
            try Folders.assets(wished: folder, workingFolder: TestFiles.root)
        }
    }

    @Test func `the assets are found from any folder below them`() throws {
        let folder = try TestFiles.temporaryFolder(["Public", "Templates/site", "deep/below"])
        defer { TestFiles.remove(folder) }
        try Data().write(to: URL(fileURLWithPath: folder + "/Templates/site/layout.mustache"))
        #expect(try Folders.assets(wished: nil, workingFolder: folder + "/deep/below") == folder)
        #expect(try Folders.assets(wished: folder, workingFolder: "/") == folder)
    }

    @Test func `installed assets are found in share beside the program's folder`() throws {
        let prefix = try TestFiles.temporaryFolder([
            "bin", "share/roost/Public", "share/roost/Templates/site",
        ])
        defer { TestFiles.remove(prefix) }
        let layout = prefix + "/share/roost/Templates/site/layout.mustache"
        try Data().write(to: URL(fileURLWithPath: layout))
        #expect(try Folders.assets(wished: nil, workingFolder: prefix + "/bin") == prefix + "/share/roost")
    }
}
