import CMicroHTTPD

/// What the allocator does with memory that was freed.
///
/// Without `keep()` it gives each large block back at once, and the next page of some hundred kilobytes takes them from
/// the system again, a page fault for every 4,096 bytes: a fifth of the time that an inbox of 200 rows took. So it is kept,
/// and given back from time to time.
enum FreedMemory {
    /// For the whole process.
    static func keep() {
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 16 << 20)
    }

    /// Takes a millisecond or a few.
    static func giveBack() { malloc_trim(0) }
}
