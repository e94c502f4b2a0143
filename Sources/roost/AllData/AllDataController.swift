import Accounts
import Foundation
import HTTPServer
import RoostServices
import RoostSupport
import RoostWeb
import TextFormats

struct AllDataFeature: Feature {
    let jobs: TransferJobs

    let settingsTabs: [SettingsTab] = [.allData]

    let searchCommands = [
        SearchCommand("Export all your data", or: "import move download", at: AllDataController.path)
    ]

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        AllDataController(site: guarded.site, jobs: jobs).routes(guarded)
    }

    func topics(named name: String, for user: User) -> [String]? {
        name == "transfer" ? [Topic.transfer(user.userId)] : nil
    }
}

extension SettingsTab {
    static let allData = SettingsTab("All my data", at: AllDataController.path)
}

/// `/settings/data`: exports all of a user's data to a file, and imports such a file.
///
/// A file of up to a slice's size is sent as a form. Scripts send larger ones in slices, and continue where an upload
/// stopped.
struct AllDataController: Sendable {
    static let path = "/settings/data"
    /// The largest file of a form without scripts, in bytes.
    static let formBytes = 64 << 20
    private static let formLimit = formBytes + (1 << 20)

    let site: WebContext
    let jobs: TransferJobs

    func routes(_ guarded: RouteGuard) -> [SiteRoute] {
        [
            guarded.member(.get, Self.path) { reads, request, user in
                .response(site.html(try view(reads, request, user)))
            },
            guarded.fragment(Self.path + "/state", topics: { [Topic.transfer($1.userId)] }) {
                _, _, user in state(of: user)
            },
            guarded.member(.post, Self.path + "/export") { request, user in
                try await answer(request, user, "Exporting. You can leave this page.") {
                    try jobs.startExport(for: user.userId)
                }
            },
            guarded.member(.get, Self.path + "/all-my-data.zip", download),
            guarded.member(.post, Self.path + "/export/delete") { request, user in
                try await answer(request, user, "Export deleted.") { jobs.deleteExport(of: user.userId) }
            },
            guarded.member(.post, Self.path + "/export/stop") { request, user in
                try await answer(request, user, "Export stopped.") { jobs.cancel(.export, of: user.userId) }
            },
            guarded.member(.post, Self.path + "/import/stop") { request, user in
                try await answer(request, user, "Import stopped.") { jobs.cancel(.upload, of: user.userId) }
            },
            guarded.member(.post, Self.path + "/import", bodyLimit: Self.formLimit, importFile),
            guarded.member(.get, Self.path + "/upload") { _, user in
                .response(API.json(Received(received: jobs.received(by: user.userId))))
            },
            guarded.member(.post, Self.path + "/upload", bodyLimit: TransferJobs.sliceBytes, receive),
            guarded.member(.post, Self.path + "/import/forget") { request, user in
                try await answer(request, user, nil) { jobs.forgetImport(of: user.userId) }
            },
            guarded.member(.get, Self.path + "/import-report.csv") { _, user in
                guard let file = FileHandle(forReadingAtPath: jobs.reportPath(of: user.userId)) else {
                    throw RoostError.notFound("There is no report.")
                }
                let size = Int(try file.seekToEnd())
                try file.seek(toOffset: 0)
                let chunks = ByteStream(FileChunks(file: file, count: size), length: size)
                var response = Response.stream(chunks, type: "text/csv; charset=utf-8")
                response["Content-Disposition"] = ContentDisposition.of("import-report.csv")
                response["Cache-Control"] = "no-store"
                return .response(response)
            },
        ]
    }

    private func state(of user: User) -> AllDataStateView {
        AllDataStateView(
            jobs.exportState(of: user.userId), jobs.importState(of: user.userId), now: site.clock.now())
    }

    private func view(
        _ reads: Reads, _ request: Request, _ user: User, exportError: String? = nil, fileError: String? = nil
    ) throws -> AllDataView {
        AllDataView(
            layout: try site.layout(reads, for: user, request, currentEntry: SettingsTabs.path),
            state: state(of: user), exportError: exportError, fileError: fileError,
            isOwner: user.role == .owner)
    }

    private func answer(
        _ request: Request, _ user: User, _ notice: String?, _ act: () throws -> Void
    ) async throws -> HandlerResult {
        do { try act() } catch {
            let refused = try FormError(error)
            return refused.answer(
                try await site.html { try view($0, request, user, exportError: refused.message) })
        }
        return site.answer(
            request, page: Self.path, showing: notice.map { NoticeView(text: $0) }, to: user)
    }

    // MARK: Download

    /// Answers a range, so that a browser can continue a download.
    private func download(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let export = jobs.export(of: user.userId), let file = FileHandle(forReadingAtPath: export.path)
        else { throw RoostError.notFound("There is no export, or it has expired.") }
        let tag = "\"\(Int(export.madeAt.timeIntervalSince1970))-\(export.size)\""
        let isSame = request.headers["If-Range"].map { $0 == tag } ?? true
        let range = isSame ? ByteRange.of(request.headers["Range"], in: export.size) : .all
        guard let bytes = range.bytes(of: export.size) else {
            return .response(
                Response(status: 416, headers: [("Content-Range", "bytes */\(export.size)")]))
        }
        try file.seek(toOffset: UInt64(bytes.lowerBound))
        let chunks = FileChunks(file: file, count: bytes.count)
        var response = Response.stream(ByteStream(chunks, length: bytes.count), type: "application/zip")
        if range != .all {
            response.status = 206
            response["Content-Range"] = "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/\(export.size)"
        }
        response["Accept-Ranges"] = "bytes"
        response["ETag"] = tag
        response["Cache-Control"] = "private, no-cache"
        let day = ISO8601.seconds(export.madeAt).prefix("2026-11-23".count)
        response["Content-Disposition"] = ContentDisposition.of("roost-\(user.username)-\(day).zip")
        return .response(response)
    }

    // MARK: Upload

    private struct Received: Encodable {
        /// In bytes.
        let received: Int
    }

    /// Adds a slice: `?offset=` says where it belongs.
    private func receive(_ request: Request, _ user: User) async throws -> HandlerResult {
        guard let offset = request.query["offset"].flatMap({ Int($0) }), offset >= 0 else {
            throw RoostError.invalid(
                field: "offset", why: "“offset” must be the number of bytes uploaded so far.")
        }
        let received = try jobs.receive(request.body, at: offset, from: user.userId)
        return .response(API.json(Received(received: received)))
    }

    /// Imports the form's file, or without one what was uploaded in slices.
    private func importFile(_ request: Request, _ user: User) async throws -> HandlerResult {
        do {
            let form = try request.form()
            if form["uploaded"] == nil {
                let file = try form.importFile()
                _ = try jobs.receive(file.bytes, at: 0, from: user.userId)
            }
            try await jobs.startImport(for: user.userId)
        } catch {
            let refused = try FormError(error, about: "file")
            return refused.answer(
                try await site.html { try view($0, request, user, fileError: refused.message) })
        }
        return site.answer(
            request, page: Self.path, showing: NoticeView(text: "Importing. You can leave this page."),
            to: user)
    }
}
