import RoostServices
import RoostWeb

/// What the services as a whole show in `/metrics`: the database, the disk, queues and requests to upstreams.
struct ServiceMetrics: Sendable {
    let services: Services

    var families: [MetricFamily] { database + queues + upstreams }

    private var database: [MetricFamily] {
        let figures = services.database.figures
        var size = MetricFamily.gauge("roost_disk_size_bytes", "Size of the data folder's disk.")
        var free = MetricFamily.gauge(
            "roost_disk_free_bytes", "What Roost can still use of the data folder's disk.")
        if let disk = figures.disk {
            size = size.with(disk.bytes)
            free = free.with(disk.availableBytes)
        }
        return [
            .histogram("roost_database_read_duration_seconds", "Time of read transactions.")
                .with(figures.reads),
            .histogram(
                "roost_database_write_duration_seconds",
                "Time of write transactions, with the sync to disk; each has up to 32 writes."
            ).with(figures.commits),
            .gauge(
                "roost_database_writes_waiting", "Writes that wait for their transaction.",
                figures.waitingWrites),
            .gauge("roost_database_size_bytes", "Size of the database file.", figures.fileBytes),
            .gauge("roost_database_log_size_bytes", "Size of the write-ahead log.", figures.logBytes),
            size, free,
        ]
    }

    private var queues: [MetricFamily] {
        [
            .gauge("roost_jobs_running", "Long computations that run.", services.heavyWork.running),
            .gauge("roost_jobs_waiting", "Long computations that wait.", services.heavyWork.waiting),
        ]
    }

    private var upstreams: [MetricFamily] {
        let counts = services.requestCounts.sorted { ($0.upstream, $0.outcome) < ($1.upstream, $1.outcome) }
        var requests = MetricFamily.counter(
            "roost_upstream_requests_total",
            "Finished requests to upstreams by the class of their status, or none without an answer.")
        var durations = MetricFamily.counter(
            "roost_upstream_request_seconds_total", "Time of these requests together.")
        for count in counts {
            let labels: MetricFamily.Labels = [
                "upstream": count.upstream, "status": count.outcome.rawValue,
            ]
            let (seconds, attoseconds) = count.duration.components
            requests = requests.with(count.requests, labels)
            durations = durations.with(
                microseconds: Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000), labels)
        }
        return [requests, durations]
    }
}
