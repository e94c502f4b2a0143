/// A typical page of such a site: the article surrounded by menus, banners, buttons and recommendations.
struct SitePage {
    let site: SimulatedSite
    private var texts: SiteTexts { .of(site.language) }

    func html(of article: SiteArticle) -> String {
        document(
            title: article.title, metadata: metadata(of: article),
            body: article.isBuiltByScript ? builtByScript(article) : content(of: article),
            kind: "page-article", charset: article.charset.ownName)
    }

    /// Returns the page for visitors who are not signed in: the summary and a login wall.
    func wall(before article: SiteArticle) -> String {
        document(
            title: article.title, metadata: metadata(of: article),
            body: """
                <main class="content"><h1>\(Self.escaped(article.title))</h1>
                <p class="lead">\(Self.escaped(article.summary))</p>
                <section class="paywall"><h2>\(texts.wall)</h2>
                <form action="/login"><input type="hidden" name="next" value="\(article.path)">
                <button>\(texts.logIn)</button></form></section></main>
                """, kind: "page-wall")
    }

    var front: String {
        let teasers = site.articles.map { article in
            """
            <article class="teaser"><img src="\(article.picture)" width="200" height="112" alt="">
            <h2><a href="\(article.path)">\(Self.escaped(article.title))</a></h2>
            <p>\(Self.escaped(article.summary))</p></article>
            """
        }
        return document(
            title: "\(site.name): \(site.tagline)", metadata: "",
            body: "<main class=\"front\">\(teasers.joined(separator: "\n"))</main>", kind: "page-front")
    }

    func message(_ text: String) -> String {
        document(
            title: text, metadata: "", body: "<main><h1>\(Self.escaped(text))</h1></main>",
            kind: "page-message")
    }

    var notFound: String { message(texts.notFound) }

    private static func escaped(_ text: String) -> String { SiteMarkup.escaped(text) }
}

// MARK: Head

extension SitePage {
    private func metadata(of article: SiteArticle) -> String {
        let address = site.address(of: article.path), picture = site.address(of: article.picture)
        let title = Self.escaped(article.title), summary = Self.escaped(article.summary)
        let tags = article.tags.map { "<meta property=\"article:tag\" content=\"\(Self.escaped($0))\">" }
        return """
            <link rel="canonical" href="\(address)">
            <meta name="description" content="\(summary)">
            <meta name="author" content="\(Self.escaped(article.author))">
            <meta property="og:type" content="article">
            <meta property="og:site_name" content="\(Self.escaped(site.name))">
            <meta property="og:title" content="\(title)">
            <meta property="og:description" content="\(summary)">
            <meta property="og:url" content="\(address)">
            <meta property="og:image" content="\(picture)">
            <meta property="article:published_time" content="\(article.published)">
            <meta property="article:section" content="\(Self.escaped(article.section))">
            \(tags.joined(separator: "\n"))
            <meta name="twitter:card" content="summary_large_image">
            <script type="application/ld+json">\(linkedData(of: article, address, picture))</script>
            """
    }

    private func linkedData(of article: SiteArticle, _ address: String, _ picture: String) -> String {
        var json = JSONWriter()
        json.object {
            $0.member("@context", "https://schema.org")
            $0.member("@type", site.layout.schemaType)
            $0.member("headline", article.title)
            $0.member("description", article.summary)
            $0.member("datePublished", article.published)
            $0.member("inLanguage", site.language)
            $0.member("mainEntityOfPage", address)
            $0.member("image", picture)
            $0.key("author")
            $0.object {
                $0.member("@type", "Person")
                $0.member("name", article.author)
            }
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private func document(
        title: String, metadata: String, body: String, kind: String, charset: String = "utf-8"
    ) -> String {
        let accent = "rgb(\(site.accent.red), \(site.accent.green), \(site.accent.blue))"
        let links = site.sections.enumerated().map { number, section in
            "<li><a href=\"/section/\(number + 1)\">\(Self.escaped(section))</a></li>"
        }
        return """
            <!DOCTYPE html>
            <html lang="\(site.language)"><head><meta charset="\(charset)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(Self.escaped(title)) | \(Self.escaped(site.name))</title>
            \(metadata)
            <link rel="alternate" type="application/atom+xml" href="/feed.atom">
            <style>body { font: 16px/1.5 Georgia, serif; max-width: 46em; margin: auto; padding: 0 1em }
            header a { color: \(accent); font-size: 1.6em } nav ul { display: flex; gap: 1em; padding: 0;
            list-style: none } img { max-width: 100%; height: auto } pre { overflow: auto }
            aside, footer, .cookie-banner, .comments { font-size: .85em; color: #555 }</style>
            <script>window.dataLayer = window.dataLayer || []; dataLayer.push({page: "\(kind)"});</script>
            </head><body class="\(kind)">
            <a class="skip-link" href="#content">\(Self.escaped(site.name))</a>
            <div class="cookie-banner" role="dialog" aria-label="Cookies"><p>\(texts.cookies)</p>
            <button>\(texts.accept)</button> <button>\(texts.settings)</button></div>
            <header class="site-header"><a href="/">\(Self.escaped(site.name))</a>
            <p class="tagline">\(Self.escaped(site.tagline))</p>
            <nav class="main-nav"><ul>\(links.joined(separator: "\n"))
            <li><a href="/login">\(texts.logIn)</a></li></ul></nav></header>
            \(body)
            <footer class="site-footer"><ul><li><a href="/about">\(texts.imprint)</a></li>
            <li><a href="/privacy">\(texts.privacy)</a></li></ul>
            <p>© 2026 \(Self.escaped(site.name))</p></footer></body></html>
            """
    }
}

// MARK: Body

extension SitePage {
    private func content(of article: SiteArticle) -> String {
        switch site.layout {
        case .news: news(article)
        case .blog: blog(article)
        case .documentation: documentation(article)
        case .forum: thread(article)
        }
    }

    /// Inserts a newsletter box into the text, as real sites do.
    private func interrupted(_ blocks: [String]) -> String {
        var blocks = blocks
        let box = """
            <aside class="newsletter-box"><p>\(texts.newsletter)</p><form action="/newsletter">
            <input type="email" name="email" aria-label="E-mail"> <button>\(texts.subscribe)</button></form></aside>
            """
        if blocks.count > 6 { blocks.insert(box, at: 4) }
        return blocks.joined(separator: "\n")
    }

    private func related(to article: SiteArticle) -> String {
        let links = site.articles.filter { $0.path != article.path }.map {
            "<li><a href=\"\($0.path)?utm_source=related\">\(Self.escaped($0.title))</a></li>"
        }
        return """
            <aside class="related"><h3>\(texts.related)</h3><ul>\(links.joined(separator: "\n"))</ul></aside>
            """
    }

    private var shareButtons: String {
        """
        <div class="share-buttons"><span>\(texts.share)</span>
        <a href="/share?to=mail">E-mail</a> <a href="/share?to=post">Post</a> <button>Link</button></div>
        """
    }

    private func comments(on article: SiteArticle) -> String {
        guard !article.comments.isEmpty else { return "" }
        let all = article.comments.map {
            "<li><b>\(Self.escaped($0.author))</b> <p>\(Self.escaped($0.text))</p><button>+1</button></li>"
        }
        return """
            <section class="comments" id="comments"><h3>\(texts.comments) (\(all.count))</h3>
            <ol>\(all.joined(separator: "\n"))</ol></section>
            """
    }

    private func news(_ article: SiteArticle) -> String {
        """
        <main id="content"><article class="story"><p class="kicker">\(Self.escaped(article.section))</p>
        <h1>\(Self.escaped(article.title))</h1>
        <p class="lead">\(Self.escaped(article.summary))</p>
        <div class="byline">\(texts.by) <a rel="author" href="/authors">\(Self.escaped(article.author))</a>
        <time datetime="\(article.published)">\(article.published.prefix(10))</time></div>
        \(shareButtons)
        <figure class="lead-image"><img src="\(article.picture)" width="400" height="225"
        alt="\(Self.escaped(article.title))"></figure>
        <div class="story-body">\(interrupted(SiteMarkup(article.text).blocks))</div></article>
        \(related(to: article))
        \(comments(on: article))</main>
        """
    }

    private func blog(_ article: SiteArticle) -> String {
        let tags = article.tags.map { "<a rel=\"tag\" href=\"/tags/\($0)\">\($0)</a>" }
        return """
            <div id="content" class="post"><div class="entry-header"><h1>\(Self.escaped(article.title))</h1>
            <p class="entry-meta"><time datetime="\(article.published)">\(article.published.prefix(10))</time>
            · \(Self.escaped(article.author))</p></div>
            <div class="entry-content">\(SiteMarkup(article.text).blocks.joined(separator: "\n"))</div>
            <p class="entry-tags">\(tags.joined(separator: " "))</p>\(shareButtons)</div>
            \(comments(on: article))\(related(to: article))
            """
    }

    private func documentation(_ article: SiteArticle) -> String {
        let blocks = SiteMarkup(article.text).blocks
        let headings = blocks.filter { $0.hasPrefix("<h2>") }.map {
            "<li><a href=\"#\">\($0.dropFirst(4).dropLast(5))</a></li>"
        }
        let pages = site.articles.map { "<li><a href=\"\($0.path)\">\(Self.escaped($0.title))</a></li>" }
        return """
            <div class="layout"><nav class="sidebar"><ul>\(pages.joined())</ul></nav>
            <main id="content"><nav class="breadcrumbs"><a href="/">Docs</a> › \(Self.escaped(article.section))
            </nav><h1>\(Self.escaped(article.title))</h1>
            \(blocks.joined(separator: "\n"))
            <p class="edit-link"><a href="/edit">Edit this page</a></p></main>
            <nav class="toc"><h4>\(texts.contents)</h4><ul>\(headings.joined())</ul></nav></div>
            """
    }

    private func thread(_ article: SiteArticle) -> String {
        let first = SiteComment(author: article.author, text: article.text)
        let posts = ([first] + article.comments).enumerated().map { number, post in
            """
            <div class="post" id="post-\(number + 1)"><div class="post-author"><b>\(Self.escaped(post.author))</b>
            <span class="rank">Member</span></div><div class="post-date">\(article.published.prefix(10))</div>
            <div class="post-body">\(SiteMarkup(post.text).blocks.joined(separator: "\n"))</div>
            <div class="post-tools"><a href="#post-\(number + 1)">#\(number + 1)</a> <a href="/reply">Reply</a>
            <a href="/report">Report</a></div></div>
            """
        }
        return """
            <main id="content" class="thread"><h1>\(Self.escaped(article.title))</h1>
            <p class="thread-info">\(posts.count) posts in \(Self.escaped(article.section))</p>
            \(posts.joined(separator: "\n"))
            <p class="pages"><a href="/section/1">« Back to the forum</a></p></main>
            """
    }

    /// Returns an empty frame that the script fills.
    private func builtByScript(_ article: SiteArticle) -> String {
        var json = JSONWriter()
        json.string(content(of: article))
        return """
            <div id="app"><noscript>Please switch JavaScript on.</noscript></div>
            <script id="state" type="application/json">\(String(decoding: json.bytes, as: UTF8.self))</script>
            <script>document.getElementById("app").innerHTML =
            JSON.parse(document.getElementById("state").textContent);</script>
            """
    }
}

extension SiteLayout {
    fileprivate var schemaType: String {
        switch self {
        case .news: "NewsArticle"
        case .blog: "BlogPosting"
        case .documentation: "TechArticle"
        case .forum: "DiscussionForumPosting"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func member(_ name: String, _ text: String) {
        key(name)
        string(text)
    }
}
