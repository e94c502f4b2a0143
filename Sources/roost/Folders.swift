import Foundation

enum Folders {
    /// Returns Roost's folder in the data home of the XDG base directory specification.
    static func data(environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        if let home = environment["XDG_DATA_HOME"], home.hasPrefix("/") { return home + "/roost" }
        return NSHomeDirectory() + "/.local/share/roost"
    }

    /// Returns the folder that contains `Public`: the requested one, or the first above the working folder or
    /// the program.
    ///
    /// - Throws: `SettingsError` if no folder has it.
    static func assets(
        requested: String?, workingFolder: String = FileManager.default.currentDirectoryPath
    ) throws -> String {
        if let requested {
            guard hasAssets(requested) else {
                throw SettingsError("--assets \(requested) has no folder Public.")
            }
            return requested
        }
        for start in [workingFolder, program] {
            var folder = URL(fileURLWithPath: start)
            while folder.path != "/" {
                if hasAssets(folder.path) { return folder.path }
                let installed = folder.appendingPathComponent("share/roost").path
                if hasAssets(installed) { return installed }
                folder.deleteLastPathComponent()
            }
        }
        throw SettingsError("The folder Public was not found. Set --assets to the folder that contains it.")
    }

    /// Returns the package's settings file, which an installed program reads by default, or nil without the package.
    ///
    /// A program that was built in a clone or unpacked elsewhere has none.
    static func installedSettings(
        program: String = Folders.program, exists: (String) -> Bool = FileManager.default.fileExists(atPath:)
    ) -> String? {
        let path = "/etc/roost/roost.json"
        return program == "/usr/bin/roost" && exists(path) ? path : nil
    }

    private static var program: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    }

    private static func hasAssets(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/Public/css/roost.css")
    }
}
