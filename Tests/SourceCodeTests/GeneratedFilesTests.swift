import Testing

@testable import SourceCode

@Suite struct GeneratedFilesTests {
    @Test(arguments: [
        "package-lock.json", "web/yarn.lock", "Cargo.lock", "go.sum", "Package.resolved", "js/app.min.js",
        "css/site.min.css", "app.js.map", "api/user.pb.go", "api/user_pb2.py", "Models.generated.swift",
        "vendor/github.com/x/y.go", "web/node_modules/a/index.js", "src/__snapshots__/a.snap",
        "zz_generated.deepcopy.go",
        "Sources/Generated/Strings.swift", "Form.Designer.cs", "dist/index.js", "third_party/zlib/zlib.h",
    ])
    func `generated and copied files are recognised`(_ path: String) {
        #expect(isGenerated(path: path))
    }

    @Test(arguments: [
        "", "/", "package.json", "Sources/App/Lock.swift", "vendor.go", "src/generated.md",
        "docs/lockfiles.md",
        "go.summary", "min.js", "Podfile", "src/distance/a.swift",
    ])
    func `other files are not`(_ path: String) {
        #expect(!isGenerated(path: path))
    }
}
