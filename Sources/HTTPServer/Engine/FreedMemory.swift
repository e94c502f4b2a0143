import CMicroHTTPD
import Glibc

/// What the process does with memory that it does not use now.
///
/// Without `keep()` the allocator gives each large block back at once, and the next page of some hundred kilobytes takes them
/// from the system again, a page fault for every 4,096 bytes: a fifth of the time that an inbox of 200 rows took. So it is
/// kept, and given back from time to time.
enum FreedMemory {
    /// For the whole process.
    static func keep() {
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
        // Of eight arenas a core, the default, each keeps what its own threads freed.
        mallopt(M_ARENA_MAX, Int32(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
    }

    /// Takes a millisecond or a few.
    static func giveBack() {
        malloc_trim(0)
        letGoOfCode()
    }

    /// The code of the program and of its libraries is mapped anew as it is used.
    ///
    /// With each page that is used Linux maps the fifteen beside it, and the start uses nearly every part once: of 53 MB of
    /// files that were mapped with 1,000 long polls open, 13 had been used since the start. They stay in the page cache.
    private static func letGoOfCode() {
        guard let maps = fopen("/proc/self/maps", "r") else { return }
        defer { fclose(maps) }
        var (line, capacity) = (UnsafeMutablePointer<CChar>?.none, 0)
        defer { free(line) }
        while getline(&line, &capacity, maps) > 0, let line {
            // "7f5c0a000000-7f5c0a400000 r-xp 00000000 fe:01 1234  /usr/lib/libexample.so"
            let fields = String(cString: line).utf8.split(separator: UInt8(ascii: " "))
            guard fields.count > 5, fields[1].elementsEqual("r-xp".utf8), fields[5].first == UInt8(ascii: "/")
            else { continue }
            let bounds = fields[0].split(separator: UInt8(ascii: "-")).compactMap {
                UInt(Substring($0), radix: 16)
            }
            guard bounds.count == 2, bounds[0] < bounds[1] else { continue }
            // Code is never written to, so what is mapped anew is the same.
            madvise(UnsafeMutableRawPointer(bitPattern: bounds[0]), Int(bounds[1] - bounds[0]), MADV_DONTNEED)
        }
    }
}
