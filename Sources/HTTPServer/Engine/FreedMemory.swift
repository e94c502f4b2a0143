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
    ///
    /// Also of the program's own code: with each page that is used Linux maps the fifteen beside it, and the start uses nearly
    /// every part once. Of 53 MB of files that were mapped with 1,000 long polls open, 13 had been used since the start.
    static func giveBack() {
        malloc_trim(0)
        mhdshim_let_go_of_code()
    }
}
