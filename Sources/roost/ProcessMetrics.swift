import Foundation
import RoostWeb

/// The process in Linux' figures, under the names that all of Prometheus' clients use.
enum ProcessMetrics {
    static var families: [MetricFamily] {
        var processor = MetricFamily.counter("process_cpu_seconds_total", "Processor time used.")
        var memory = MetricFamily.gauge("process_resident_memory_bytes", "Memory in use.")
        var addresses = MetricFamily.gauge("process_virtual_memory_bytes", "Address space in use.")
        var start = MetricFamily.gauge("process_start_time_seconds", "Start of the process since 1970.")
        if let status = ProcessStatus(text(of: "/proc/self/stat")) {
            let ticks = max(1, sysconf(Int32(_SC_CLK_TCK)))
            processor = processor.with(microseconds: status.processorTicks * 1_000_000 / ticks)
            memory = memory.with(status.residentPages * sysconf(Int32(_SC_PAGESIZE)))
            addresses = addresses.with(status.virtualBytes)
            if let boot = bootTime(text(of: "/proc/stat")) {
                start = start.with(boot + status.startTicks / ticks)
            }
        }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return [
            processor, memory, addresses, start,
            .gauge("process_open_fds", "Open file descriptors.", openFiles),
            .gauge("process_max_fds", "Limit of open file descriptors.", Int(clamping: limit.rlim_cur)),
        ]
    }

    private static var openFiles: Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        // Without ".", ".." and the folder itself.
        var count = -3
        while readdir(folder) != nil { count += 1 }
        return max(0, count)
    }

    /// Returns the start of a file of /proc, which has no size; empty if it cannot be read.
    private static func text(of path: String) -> [UInt8] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    /// Returns the seconds from 1970 to the start of the machine, from /proc/stat.
    static func bootTime(_ text: [UInt8]) -> Int? {
        let line = text.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: Array("btime ".utf8)) }
        return line.flatMap { Int(String(decoding: $0.dropFirst(6), as: UTF8.self)) }
    }
}

/// Fields of /proc/self/stat (proc(5)).
struct ProcessStatus: Equatable {
    let processorTicks: Int
    /// Since the start of the machine.
    let startTicks: Int
    let virtualBytes: Int
    let residentPages: Int

    /// Returns nil for another format. The second field is the program's name in parentheses, which may contain spaces
    /// and parentheses.
    init?(_ text: [UInt8]) {
        guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = text[(end + 1)...].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        // The third field of the file is the first one here.
        let numbers = fields.map { Int(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count >= 22, let user = numbers[11], let system = numbers[12], let start = numbers[19],
            let virtual = numbers[20], let resident = numbers[21]
        else { return nil }
        processorTicks = user + system
        startTicks = start
        virtualBytes = virtual
        residentPages = resident
    }
}
