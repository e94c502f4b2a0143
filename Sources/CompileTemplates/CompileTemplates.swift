import Foundation
import PackagePlugin

/// Compiles the templates of a target: those in its own folder `Templates`, or its part of the package's.
///
/// The package's folder `Templates/chat` belongs to the target that has a folder `Chat`, or that is called `Chat` or
/// `ChatWeb`.
@main
struct CompileTemplates: BuildToolPlugin {
    private static let ending = ".mustache"

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let own = target.directoryURL.appending(path: "Templates")
        guard !FileManager.default.fileExists(atPath: own.path(percentEncoded: false)) else {
            return [try command(target, folder: own, files: try files(in: own), options: [], context)]
        }
        let folder = context.package.directoryURL.appending(path: "Templates")
        let names = try folders(of: target, in: folder)
        let used = try Self.modules(below: target).filter { try !folders(of: $0, in: folder).isEmpty }
        let options = names.flatMap { ["--own", $0] } + used.flatMap { ["--import", $0.name] }
        let templates = try names.flatMap { name in
            try files(in: folder.appending(path: name)).map { "\(name)/\($0)" }
        }
        return [try command(target, folder: folder, files: templates, options: options, context)]
    }

    private func command(
        _ target: any Target, folder: URL, files: [String], options: [String], _ context: PluginContext
    ) throws -> Command {
        let output = context.pluginWorkDirectoryURL
        return .buildCommand(
            displayName: "Compiling the templates of \(target.name)",
            executable: try context.tool(named: "TemplateCompiler").url,
            arguments: [folder.path(percentEncoded: false), output.path(percentEncoded: false)] + options,
            inputFiles: files.map { folder.appending(path: $0) },
            outputFiles: files.map { file in
                output.appending(path: file.split(separator: "/").joined(separator: ".") + ".swift")
            })
    }

    /// The paths of the templates below a folder.
    private func files(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
            .filter { $0.hasSuffix(Self.ending) }.sorted()
    }

    /// The package's folders of templates that belong to a target; none for one that does not use HTMLTemplates.
    private func folders(of target: any Target, in folder: URL) throws -> [String] {
        guard Self.usesTemplates(target) else { return [] }
        let files = FileManager.default
        let path = target.directoryURL.path(percentEncoded: false)
        let nouns = try files.contentsOfDirectory(atPath: path) + [target.name.replacing(/Web$/, with: "")]
        let own = Set(nouns.map { $0.lowercased() })
        return try files.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).filter(own.contains)
            .sorted()
    }

    /// Returns true if a target depends on HTMLTemplates, the package's own or another package's product.
    private static func usesTemplates(_ target: any Target) -> Bool {
        let products = target.dependencies.compactMap { dependency in
            if case .product(let product) = dependency { product } else { nil }
        }
        let modules = modules(below: target) + products.flatMap(\.targets)
        return modules.contains { $0.name == "HTMLTemplates" }
    }

    /// The package's targets that a target depends on directly.
    private static func modules(below target: any Target) -> [any Target] {
        target.dependencies.compactMap { dependency in
            if case .target(let module) = dependency { module } else { nil }
        }
    }
}
