// swift-tools-version: 6.1
import PackageDescription

// `run` replaces the path, because it builds a copy outside the tree.
let package = Package(
    name: "examples",
    dependencies: [.package(name: "roost", path: "../..")],
    targets: [
        .executableTarget(
            name: "Examples",
            dependencies: [
                .product(name: "HTTPServer", package: "roost"),
                .product(name: "HTTPClient", package: "roost"),
                .product(name: "HTMLDocument", package: "roost"),
                .product(name: "HTMLTemplates", package: "roost"),
                .product(name: "ArticleText", package: "roost"),
            ],
            exclude: ["Templates"],
            plugins: [.plugin(name: "CompileTemplates", package: "roost")])
    ]
)
