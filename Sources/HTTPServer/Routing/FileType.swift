/// The content types of the files that a web site is made of.
enum FileType {
    private static let byExtension = [
        "css": "text/css; charset=utf-8",
        "gif": "image/gif",
        "html": "text/html; charset=utf-8",
        "ico": "image/x-icon",
        "jpeg": "image/jpeg",
        "jpg": "image/jpeg",
        "js": "text/javascript; charset=utf-8",
        "json": "application/json",
        "map": "application/json",
        "md": "text/plain; charset=utf-8",
        "mjs": "text/javascript; charset=utf-8",
        "png": "image/png",
        "svg": "image/svg+xml",
        "txt": "text/plain; charset=utf-8",
        "wasm": "application/wasm",
        "webmanifest": "application/manifest+json",
        "webp": "image/webp",
        "woff2": "font/woff2",
        "xml": "application/xml",
    ]

    static func ofFile(named name: String) -> String {
        let ending =
            name.utf8.split(separator: UInt8(ascii: ".")).last.map { Substring($0).lowercased() } ?? ""
        return byExtension[ending] ?? "application/octet-stream"
    }
}
