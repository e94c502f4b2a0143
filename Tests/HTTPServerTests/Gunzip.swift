import FoundationEssentials
import Glibc
import TestSupport

struct GunzipFailed: Error {}

/// Uses the system's own gzip, so that zlib does not check itself.
func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
    let directory = try TemporaryFolder()
    try directory.write(bytes, to: "a.gz")
    guard system("gzip -d \(directory.path)/a.gz") == 0 else { throw GunzipFailed() }
    return try directory.read("a")
}
