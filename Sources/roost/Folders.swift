import Foundation

/// Where things lie on this machine.
enum Folders {
    /// The data folder of the XDG base directory specification.
    static func data(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") { return home + "/roost" }
        return NSHomeDirectory() + "/.local/share/roost"
    }

    /// The folder that holds `Public`: the wished one, or the first above the working folder or the program.
    ///
    /// Throws `SettingsError` where there is none.
    static func assets(
        requested: String?, workingFolder: String = FileManager.default.currentDirectoryPath
    ) throws -> String {
        if let requested {
            guard holdsAssets(requested) else {
                throw SettingsError("--assets \(requested) holds no folder Public.")
            }
            return requested
        }
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        for start in [workingFolder, program] {
            var folder = URL(fileURLWithPath: start)
            while folder.path != "/" {
                if holdsAssets(folder.path) { return folder.path }
                let installed = folder.appendingPathComponent("share/roost").path
                if holdsAssets(installed) { return installed }
                folder.deleteLastPathComponent()
            }
        }
        throw SettingsError("The folder Public was not found; name the folder that holds it with --assets.")
    }

    private static func holdsAssets(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/Public/css/roost.css")
    }
}
