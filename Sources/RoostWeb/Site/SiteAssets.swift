package import HTTPServer

/// The static files of the site.
package struct SiteAssets: Sendable {
    package let files: StaticFiles
    package let imports: ScriptImports
    /// The base address of the files, "/static/HASH", without a slash at the end.
    package let address: String
    /// The version of the program and the files; pages offer to reload when it changes.
    package let version: String

    /// Throws if the files cannot be read.
    init(folder: String, programVersion: String) throws {
        var imports = ScriptImports()
        files = try StaticFiles(directory: folder) { name, content in
            if name.hasSuffix(".css") {
                return Array(CommentStripper.stripped(String(decoding: content, as: UTF8.self)).utf8)
            }
            guard name.hasSuffix(".js") else { return content }
            if ClassicScript.names.contains(name) {
                let script = try ClassicScript.joined(name, in: folder)
                return Array(CommentStripper.stripped(script).utf8)
            }
            let script = String(decoding: content, as: UTF8.self)
            imports.read(name, script)
            return Array(CommentStripper.stripped(script).utf8)
        }
        self.imports = imports
        address = "/static/" + files.version
        version = programVersion + "-" + files.version
    }
}
