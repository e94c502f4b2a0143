import Foundation
import PackagePlugin

/// Compiles the templates of a target: those in its own folder `Templates`, or those in the package's.
@main
struct CompileTemplates: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let own = target.directoryURL.appending(path: "Templates")
        let folder =
            FileManager.default.fileExists(atPath: own.path(percentEncoded: false))
            ? own : context.package.directoryURL.appending(path: "Templates")
        let output = context.pluginWorkDirectoryURL
        let ending = ".mustache"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(ending) }.sorted()
        return [
            .buildCommand(
                displayName: "Compiling the templates of \(target.name)",
                executable: try context.tool(named: "TemplateCompiler").url,
                arguments: [folder.path(percentEncoded: false), output.path(percentEncoded: false)],
                inputFiles: files.map { folder.appending(path: $0) },
                outputFiles: files.map { file in
                    let name = file.dropLast(ending.count).split(separator: "/").joined(separator: ".")
                    return output.appending(path: "\(name).swift")
                })
        ]
    }
}
