import Foundation

/// `TemplateCompiler FOLDER OUTPUT [--own FOLDER]... [--import MODULE]...`: writes Swift files to OUTPUT.
///
/// It reads all templates below FOLDER, since they name each other, and compiles those in the module's own folders.
@main
struct TemplateCompiler {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2, let module = module(arguments[2...]) else {
            fail(["usage: TemplateCompiler FOLDER OUTPUT [--own FOLDER]... [--import MODULE]..."])
        }
        do {
            let errors = try compile(arguments[0], for: module, into: arguments[1])
            if !errors.isEmpty { fail(errors.map(\.description)) }
        } catch {
            fail(["error: \(error)"])
        }
    }

    /// Nil for an option that does not exist.
    private static func module(_ options: ArraySlice<String>) -> TemplateModule? {
        var module = TemplateModule()
        var options = options
        while let option = options.popFirst() {
            switch (option, options.popFirst()) {
            case ("--own", let folder?): module.folders = (module.folders ?? []).union([folder])
            case ("--import", let name?): module.imports.append(name)
            default: return nil
            }
        }
        return module
    }

    /// Answers what is wrong with the templates; throws what the disk has to say.
    private static func compile(_ folder: String, for module: TemplateModule, into output: String) throws
        -> [TemplateError]
    {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        var templates = try TemplateSet(files.filter { $0.hasSuffix(".mustache") }, in: folder) {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
        let sources = templates.sources(for: module)
        guard templates.errors.isEmpty else { return templates.errors }
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        for source in sources {
            let path = "\(output)/\(source.file)"
            // Leave unchanged files alone, so that they are not compiled again.
            if FileManager.default.contents(atPath: path) == Data(source.text.utf8) { continue }
            try source.text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        return []
    }

    private static func fail(_ lines: [String]) -> Never {
        FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
        exit(1)
    }
}
