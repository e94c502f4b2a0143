package import Foundation
package import Logging
import Synchronization

/// Fetches other people's pictures once and keeps them on disk, so that browsers contact no other servers.
package final class PictureCache: Service, RefreshSource {
    package struct Picture: Sendable, Equatable {
        package let mediaType: String
        package let bytes: [UInt8]

        package init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }

    /// A picture that another part of Roost stores; the cache keeps no copy.
    package struct StoredPicture: Sendable {
        package let picture: Picture
        package let fetchedAt: Date

        package init(picture: Picture, fetchedAt: Date) {
            self.picture = picture
            self.fetchedAt = fetchedAt
        }
    }

    /// Caches parsed addresses: parsing a URL takes microseconds, and a page needs hundreds.
    private struct CacheKey: Hashable {
        let url, web: String
        let isTrusted, isArticle, isRestricted: Bool
    }

    private struct State {
        var index: PictureIndex
        var addresses: [CacheKey: PictureAddress?] = [:]

        mutating func address(
            of key: CacheKey, or makeAddress: @autoclosure () -> PictureAddress?
        ) -> PictureAddress? {
            if let address = addresses[key] { return address }
            if addresses.count >= PictureCache.maximumAddresses { addresses.removeAll() }
            let address = makeAddress()
            addresses[key] = .some(address)
            return address
        }
    }

    private static let maximumAddresses = 10_000
    /// Concurrent downloads in all, and from external hosts, which may be slow on purpose.
    private static let (maximumConcurrent, maximumConcurrentExternal) = (4, 2)
    /// Queue limits. A picture beyond them is requested again at the next view of its page.
    private static let (maximumWaiting, maximumExternalWaiting) = (2_000, 1_000)

    private let api: PictureAPI
    private let folder: PictureFolder
    private let thumbnails: ThumbnailMaker
    private let publisher: ThrottledPublisher
    private let refresher: Refresher<PictureAddress>
    private let clock: WallClock
    private let log: Logger
    private let state: Mutex<State>
    private let stored: @Sendable (_ name: String) async -> StoredPicture?

    /// - Parameters:
    ///   - folder: created when the first picture arrives
    ///   - maximumBytes: for all pictures together; the least recently used are removed first
    ///   - stored: returns a picture that is stored elsewhere, by its name
    package init(
        folder: String, maximumBytes: Int = 512 << 20, api: PictureAPI,
        thumbnails: ThumbnailMaker = ThumbnailMaker(), feed: ChangeFeed, clock: WallClock, log: Logger,
        stored: @escaping @Sendable (_ name: String) async -> StoredPicture? = { _ in nil }
    ) {
        self.api = api
        self.stored = stored
        self.folder = PictureFolder(path: folder)
        self.thumbnails = thumbnails
        publisher = ThrottledPublisher(feed: feed)
        // The failures themselves contain the retry delay.
        refresher = Refresher(
            clock: clock, backoff: Backoff(initial: .zero, maximum: .zero), mayStart: Self.mayStart)
        self.clock = clock
        self.log = log
        state = Mutex(State(index: PictureIndex(maximumBytes: maximumBytes)))
    }

    package static func mayStart(_ address: PictureAddress, alongside running: [PictureAddress]) -> Bool {
        running.count < maximumConcurrent
            && (address.isOwn || running.count { !$0.isOwn } < maximumConcurrentExternal)
    }

    /// Returns the path of a stored picture, "/pictures/NAME". Otherwise returns nil and fetches it in the background;
    /// `Topic.pictures` announces its arrival. Never waits.
    ///
    /// - Parameters:
    ///   - url: the URL from the upstream
    ///   - source: the upstream
    package func address(of url: String?, from source: some PictureSource) -> String? {
        guard let url else { return nil }
        let key = CacheKey(
            url: url, web: source.webURL, isTrusted: source.isTrusted, isArticle: source.isArticle,
            isRestricted: source.externalHosts != nil)
        let now = clock.now()
        let lookup = state.withLock { state -> (address: PictureAddress, isStored: Bool, isFresh: Bool)? in
            guard let address = state.address(of: key, or: PictureAddress(url, from: source)) else {
                return nil
            }
            let (isStored, isFresh) = state.index.recordView(of: address.name, now: now)
            return (address, isStored, isFresh)
        }
        guard let lookup else { return nil }
        if !lookup.isFresh {
            let room = lookup.address.isOwn ? Self.maximumWaiting : Self.maximumExternalWaiting
            refresher.request(lookup.address, room: room)
        }
        return lookup.isStored ? "/pictures/" + lookup.address.name : nil
    }

    package var waiting: Int { refresher.waiting }
    package var isIdle: Bool { refresher.isIdle }

    package func picture(named name: String) async -> Picture? {
        let now = clock.now()
        guard let entry = state.withLock({ $0.index.entries[name] }) else {
            return await stored(name)?.picture
        }
        let isDue = state.withLock { $0.index.use(name, now: now) }
        // Checked again, because the file may be damaged.
        guard let bytes = await folder.read(name), let image = try? CheckedImage(bytes, within: .article)
        else {
            state.withLock { $0.index.drop(name) }
            return await stored(name)?.picture
        }
        if isDue { await folder.stamp(name, fetched: entry.fetchedAt, used: now) }
        return Picture(mediaType: image.mediaType, bytes: image.bytes)
    }

    /// Returns the picture, from the disk or else from its server. Does not keep it.
    package func download(_ address: PictureAddress) async throws(PictureAPI.Failure) -> Picture {
        if let picture = await picture(named: address.name) { return picture }
        let image = try await api.picture(at: address)
        return Picture(mediaType: image.mediaType, bytes: image.bytes)
    }

    /// Publishes that there is a new picture which is stored elsewhere.
    package func announce() { publisher.publish([Topic.pictures]) }

    /// Returns what pages show for a picture: a thumbnail, which is kept on disk; the picture itself if it is small; or
    /// an empty drawing of the same proportions if no thumbnail can be made. Nil if the picture is not stored.
    ///
    /// Throws `RoostError.unavailable` while too many thumbnails are waiting.
    package func thumbnail(
        named name: String, _ size: ThumbnailMaker.Size
    ) async throws -> Picture? {
        var fetchedAt = state.withLock { $0.index.entries[name]?.fetchedAt }
        let copy = PictureAddress.name(ofCopy: name, "\(size)")
        let cached = state.withLock { $0.index.entries[copy] }
        // A picture that has been fetched again may have changed.
        if let cached, cached.fetchedAt >= fetchedAt ?? .distantPast, let found = await picture(named: copy) {
            return found
        }
        var picture = await fetchedAt == nil ? nil : picture(named: name)
        if picture == nil {
            let stored = await stored(name)
            (picture, fetchedAt) = (stored?.picture, stored?.fetchedAt)
        }
        guard let picture, let fetchedAt,
            let image = try? CheckedImage(picture.bytes, within: .article)
        else { return nil }
        if ThumbnailMaker.isSmall(image, for: size) { return picture }
        let key = "\(copy) \(fetchedAt.timeIntervalSince1970)"
        guard let small = try await thumbnails.thumbnail(of: image, size, key: key) else {
            let (mediaType, bytes) = try ThumbnailMaker.placeholder(
                width: image.width, height: image.height, lines: [])
            return Picture(mediaType: mediaType, bytes: bytes)
        }
        await keep(small, as: copy, fetched: fetchedAt)
        return Picture(mediaType: small.mediaType, bytes: small.bytes)
    }

    @discardableResult
    private func keep(_ image: CheckedImage, as name: String, fetched: Date) async -> Bool {
        guard await folder.write(image.bytes, as: name, at: fetched) else {
            log.warning("A picture could not be written to disk", metadata: ["folder": "\(folder.path)"])
            return false
        }
        let entry = PictureIndex.Entry(size: image.bytes.count, fetchedAt: fetched, usedAt: clock.now())
        let removed = state.withLock { $0.index.put(entry, as: name) }
        if !removed.isEmpty { await folder.remove(removed) }
        return true
    }

    /// Reads the list of stored pictures, which are then served without the network.
    package func load() async {
        var removed: [String] = []
        for file in await folder.files() {
            let entry = PictureIndex.Entry(size: file.size, fetchedAt: file.fetchedAt, usedAt: file.usedAt)
            removed += state.withLock { $0.index.put(entry, as: file.name) }
        }
        if !removed.isEmpty { await folder.remove(removed) }
    }

    package func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.publisher.run() }
            await refresher.run(self)
        }
    }

    package func refresh(_ address: PictureAddress) async throws -> RefreshOutcome {
        let image: CheckedImage
        do { image = try await api.picture(at: address) } catch {
            if error == .cancelled { throw CancellationError() }
            throw error
        }
        guard await keep(image, as: address.name, fetched: clock.now()) else {
            throw PictureAPI.Failure.refused("not written")
        }
        return .done
    }

    package func ended(_ address: PictureAddress, _ failure: (any UpstreamFailure)?) {
        if case .refused(let why) = failure as? PictureAPI.Failure {
            log.debug("A picture was refused", metadata: ["why": "\(why)"])
        }
        if failure == nil { publisher.publish([Topic.pictures]) }
    }
}

extension Topic {
    package static let pictures = "pictures"
}
