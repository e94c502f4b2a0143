import Foundation

/// `TemplateCompiler FOLDER OUTPUT`: makes a Swift file in OUTPUT of every template in FOLDER.
@main
struct TemplateCompiler {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let folder = arguments.first, let output = arguments.last, arguments.count == 2 else {
            fail(["usage: TemplateCompiler FOLDER OUTPUT"])
        }
        do {
            let errors = try compile(folder, into: output)
            if !errors.isEmpty { fail(errors.map(\.description)) }
        } catch {
            fail(["error: \(error)"])
        }
    }

    /// Answers what is wrong with the templates; throws what the disk has to say.
    private static func compile(_ folder: String, into output: String) throws -> [TemplateError] {
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
        var templates = try TemplateSet(files.filter { $0.hasSuffix(".mustache") }, in: folder) {
            try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)
        }
        let sources = templates.sources()
        guard templates.errors.isEmpty else { return templates.errors }
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        for source in sources {
            let path = "\(output)/\(source.file)"
            // What stays as it was is not compiled again.
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
