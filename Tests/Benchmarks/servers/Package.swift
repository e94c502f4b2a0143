// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "servers",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "roost", path: "../../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .target(name: "SameBytes"),
        .executableTarget(
            name: "LibmicrohttpdServer",
            dependencies: ["SameBytes", .product(name: "HTTPServer", package: "roost")]
        ),
        .executableTarget(
            name: "HummingbirdServer",
            dependencies: ["SameBytes", .product(name: "Hummingbird", package: "hummingbird")]),
        .executableTarget(
            name: "FlyingFoxServer",
            dependencies: ["SameBytes", .product(name: "FlyingFox", package: "FlyingFox")]),
    ]
)
