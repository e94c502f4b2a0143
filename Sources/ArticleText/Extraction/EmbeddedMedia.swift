import TextFormats

/// A video, an audio, a post or another page that a page shows within its text. Roost shows a link in its place.
struct EmbeddedMedia {
    let url: String
    let title: String

    /// In characters.
    private static let maximumTitle = 200
    /// Of a post, in nodes.
    private static let maximumPostParts = 500
    private static let postClasses = [
        "twitter-tweet": "Post on X", "twitter-video": "Post on X", "instagram-media": "Post on Instagram",
        "tiktok-embed": "Video on TikTok", "bluesky-embed": "Post on Bluesky", "fb-post": "Post on Facebook",
        "fb-video": "Video on Facebook", "mastodon-embed": "Post on Mastodon",
        "reddit-embed-bq": "Post on Reddit",
    ]
    /// Parts of the addresses of frames that belong to the site, not to the text.
    private static let ignored = [
        "about:", "adservice", "amazon-adsystem", "/ads/", "cookie", "consent", "disqus", "doubleclick",
        "facebook.com/plugins/like", "facebook.com/plugins/page", "googlesyndication", "googletagmanager",
        "newsletter", "outbrain", "platform.twitter.com/widgets/follow", "recaptcha", "sharethis",
        "subscribe",
        "taboola", "login", "widgets/tweet_button",
    ]
    /// Titles that players give themselves.
    private static let generic: Set<String> = [
        "youtube video player", "vimeo video player", "video player", "youtube video", "embedded content",
        "iframe", "video", "audio", "embed", "player", "spotify embed",
    ]
    /// What the pages of a host contain, by the end of its name.
    private static let kinds = [
        ("youtube.com", "Video on YouTube"), ("vimeo.com", "Video on Vimeo"),
        ("dailymotion.com", "Video on Dailymotion"),
        ("twitch.tv", "Video on Twitch"), ("ted.com", "Talk on TED"), ("tiktok.com", "Video on TikTok"),
        ("soundcloud.com", "Audio on SoundCloud"), ("spotify.com", "Audio on Spotify"),
        ("bandcamp.com", "Audio on Bandcamp"), ("podcasts.apple.com", "Podcast on Apple Podcasts"),
        ("mixcloud.com", "Audio on Mixcloud"), ("twitter.com", "Post on X"), ("x.com", "Post on X"),
        ("instagram.com", "Post on Instagram"), ("facebook.com", "Post on Facebook"),
        ("bsky.app", "Post on Bluesky"),
        ("codepen.io", "Code on CodePen"), ("openstreetmap.org", "Map on OpenStreetMap"),
        ("datawrapper.de", "Chart on Datawrapper"), ("flourish.studio", "Chart on Flourish"),
    ]

    /// Returns nil if the element shows nothing of another page.
    init?(_ node: Int, in tree: PageTree, _ addresses: PageAddresses) {
        let tag = tree.nodes[node].tag
        let names = [PageAttribute.title, .ariaLabel].lazy.compactMap { tree.text($0, of: node)?.trimmed }
        let given = names.first { !$0.isEmpty && !Self.generic.contains($0.lowercased()) }
        var kind: String?
        var address: String?
        switch tag {
        case .iframe, .embed, .object:
            address = [PageAttribute.src, .dataSrc, .dataLazySrc, .dataOriginal, .data].lazy
                .compactMap { tree.text($0, of: node) }.first { !$0.isBlank && !$0.hasPrefix("about:") }
            if let text = address?.lowercased(), Self.ignored.contains(where: text.containsBytes) {
                return nil
            }
        case .video, .audio:
            address = tree.text(.src, of: node)
            kind = tag == .video ? "Video" : "Audio"
        case .custom:
            guard let id = tree.text(.videoid, of: node) ?? tree.text(.dataVideoid, of: node),
                !id.isEmpty, id.utf8.allSatisfy({ PageText.isWord($0) || $0 == UInt8(ascii: "-") })
            else { return nil }
            let isNumber = id.utf8.allSatisfy { $0 &- 0x30 < 10 }
            address = isNumber ? "https://vimeo.com/\(id)" : "https://www.youtube.com/watch?v=\(id)"
        case .blockquote, .div:
            kind = tree.text(.class, of: node)?.words.lazy.compactMap { Self.postClasses[String($0)] }.first
            guard kind != nil, tree.end(node) - node <= Self.maximumPostParts else { return nil }
            let link = (node..<tree.end(node)).last {
                tree.nodes[$0].tag == .a && tree.value(.href, of: $0) != nil
            }
            address =
                [PageAttribute.cite, .dataPermalink, .dataHref].lazy.compactMap { tree.text($0, of: node) }
                .first
                ?? link.flatMap { tree.text(.href, of: $0) }
        default: return nil
        }
        guard let absolute = address.flatMap({ addresses.absolute($0) }) else { return nil }
        url = Self.page(of: absolute)
        let host = Self.host(url)
        if tag == .object || tag == .embed, !Self.kinds.contains(where: { Self.isHost(host, $0.0) }) {
            return nil
        }
        let text = [.blockquote, .div].contains(tag) ? tree.text(in: node).nonEmpty : nil
        let known = Self.kinds.first { Self.isHost(host, $0.0) }?.1
        let found = given ?? text ?? known ?? "\(kind ?? "Embedded page") on \(host)"
        title =
            found.unicodeScalars.count > Self.maximumTitle
            ? String(found.unicodeScalars.prefix(Self.maximumTitle)) + "…" : found
    }

    private init(url: String, title: String) { (self.url, self.title) = (url, title) }

    /// The same with the name of its host's posts, for a post whose text is shown.
    func namedByHost() -> EmbeddedMedia {
        let host = Self.host(url)
        return EmbeddedMedia(url: url, title: Self.kinds.first { Self.isHost(host, $0.0) }?.1 ?? host)
    }

    private static func host(_ url: String) -> String {
        let rest = url.splitBytes(at: "/", maxSplits: 2).dropFirst().first.map(String.init) ?? ""
        return rest.hasPrefix("www.") ? String(rest.dropFirst(4)) : rest
    }

    private static func isHost(_ host: String, _ name: String) -> Bool {
        host == name || host.hasSuffix("." + name)
    }

    /// The page that people open, for the address that players load.
    private static func page(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let parts = path.splitBytes(at: "/").map(String.init)
        guard parts.count > 2, let last = parts.last else { return url }
        let host = host(url)
        if isHost(host, "youtube.com") || isHost(host, "youtube-nocookie.com"), parts[2] == "embed" {
            let list = query("list", of: url)
            if last == "videoseries", let list { return "https://www.youtube.com/playlist?list=\(list)" }
            return "https://www.youtube.com/watch?v=\(last)"
        }
        if host == "player.vimeo.com", parts[2] == "video", parts.count > 3 {
            return "https://vimeo.com/\(parts[3])"
        }
        if isHost(host, "dailymotion.com"), parts[2] == "embed" {
            return "https://www.dailymotion.com/video/\(last)"
        }
        if host == "open.spotify.com", parts[2] == "embed" {
            return (["https://open.spotify.com"] + parts.dropFirst(3)).joined(separator: "/")
        }
        if host == "embed.podcasts.apple.com" {
            return "https://podcasts.apple.com/" + url.splitBytes(at: "/").dropFirst(2).joined(separator: "/")
        }
        if host == "platform.twitter.com", let id = query("id", of: url) {
            return "https://x.com/i/status/\(id)"
        }
        if host == "w.soundcloud.com", let track = query("url", of: url) {
            let decoded = PercentEncoding.decoded(track)
            return decoded.hasPrefix("https://") ? decoded : url
        }
        if isHost(host, "facebook.com"), parts[2] == "plugins", let post = query("href", of: url) {
            let decoded = PercentEncoding.decoded(post)
            return decoded.hasPrefix("https://") ? decoded : url
        }
        return url
    }

    private static func query(_ name: String, of url: String) -> String? {
        let parameters = url.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }.splitBytes(at: "&")
        return parameters.lazy.compactMap {
            $0.hasPrefix(name + "=") ? String($0.dropFirst(name.utf8.count + 1)) : nil
        }
        .first { !$0.isEmpty }
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
