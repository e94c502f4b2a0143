/// Returns true if a program probably wrote the file, or if it is a copy of another project's: lock files, minified
/// scripts, generated code, vendored folders. Pages fold its diff.
package func isGenerated(path: String) -> Bool {
    let parts = path.lowercased().utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    guard let name = parts.last else { return false }
    return GeneratedFiles.names.contains(name) || GeneratedFiles.endings.contains(where: name.hasSuffix)
        || GeneratedFiles.beginnings.contains(where: name.hasPrefix)
        || parts.dropLast().contains(where: GeneratedFiles.folders.contains)
}

private enum GeneratedFiles {
    static let names: Set<String> = [
        ".terraform.lock.hcl", "bun.lock", "bun.lockb", "cargo.lock", "cartfile.resolved", "composer.lock",
        "conan.lock", "deno.lock", "flake.lock", "gemfile.lock", "go.sum", "go.work.sum", "gopkg.lock",
        "gradle.lockfile", "mix.lock", "module.bazel.lock", "npm-shrinkwrap.json", "package-lock.json",
        "package.resolved", "packages.lock.json", "paket.lock", "pdm.lock", "pipfile.lock", "pixi.lock",
        "pnpm-lock.yaml", "podfile.lock", "poetry.lock", "pubspec.lock", "uv.lock", "yarn.lock",
    ]

    static let endings =
        [
            ".min.js", ".min.mjs", ".min.css", ".bundle.js", ".js.map", ".mjs.map", ".css.map", ".pb.go",
            ".pb.gw.go", ".pb.cc", ".pb.h", ".pb.swift", ".grpc.swift", "_pb2.py", "_pb2.pyi", "_pb2_grpc.py",
            "_pb.js", "_pb.d.ts", "_pb.ts", ".g.dart", ".freezed.dart", ".designer.cs", ".g.cs", ".g.i.cs",
            "_generated.go", "_generated.rs", ".gen.go", ".gen.ts", ".snap",
        ]
        + ["go", "rs", "js", "ts", "tsx", "cs", "swift", "kt", "java", "py", "h"].map { ".generated.\($0)" }

    static let beginnings = ["zz_generated"]

    static let folders: Set<String> = [
        "__generated__", "__snapshots__", ".yarn", "bower_components", "carthage", "deriveddata", "dist",
        "generated", "generated-sources", "godeps", "node_modules", "pods", "third_party", "third-party",
        "vendor", "vendored",
    ]
}
