/// Fragments of HTML with the structure and classes of GitHub's rendered Markdown.
enum ReadmeMarkup {
    static func escaped(_ text: String) -> String {
        // By scalars, because a combining mark after a sign makes it a different Character.
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// Returns a heading with an anchor, whose `id` has a prefix to avoid collisions with the page's own ids.
    static func heading(_ level: Int, _ text: String) -> String {
        let anchor = text.lowercased().replacing(" ", with: "-").filter {
            $0.isLetter || $0.isNumber || "-_".contains($0)
        }
        return "<div class=\"markdown-heading\" dir=\"auto\"><h\(level) tabindex=\"-1\" "
            + "class=\"heading-element\" dir=\"auto\">\(escaped(text))</h\(level)>"
            + "<a id=\"user-content-\(anchor)\" class=\"anchor\" aria-label=\"Permalink: \(escaped(text))\" "
            + "href=\"#\(anchor)\"><svg class=\"octicon octicon-link\" viewBox=\"0 0 16 16\" width=\"16\" "
            + "height=\"16\" aria-hidden=\"true\"><path d=\"M7.775 3.275l1.25-1.25\"></path></svg></a></div>"
    }

    /// GitHub proxies external images; the original URL is in `data-canonical-src`.
    static func badges(_ baseURL: GitHubBaseURL, _ page: String) -> String {
        let badges = [("build", "passing"), ("licence", "MIT")].map { label, value in
            "<a href=\"\(baseURL.web)\(page)/actions\"><img "
                + "src=\"\(baseURL.web)/camo/\(label)/\(value).svg\" alt=\"\(label): \(value)\" "
                + "data-canonical-src=\"https://badges.example/\(label)/\(value).svg\" "
                + "style=\"max-width: 100%;\"></a>"
        }
        return "<p dir=\"auto\">\(badges.joined(separator: "\n"))</p>"
    }

    static func picture(_ page: String, _ branch: String) -> String {
        let path = "\(page)/blob/\(branch)/docs/picture.png", raw = "\(page)/raw/\(branch)/docs/picture.png"
        return "<p dir=\"auto\"><a target=\"_blank\" rel=\"noopener noreferrer\" href=\"\(path)\">"
            + "<img src=\"\(raw)\" alt=\"What it looks like\" width=\"320\" style=\"max-width: 100%;\"></a>"
            + "<img src=\"docs/relative.png\" alt=\"A relative picture\" align=\"right\"></p>"
    }

    static let contents =
        "<ul dir=\"auto\"><li><a href=\"#installation\">Installation</a></li>"
        + "<li><a href=\"#what-works\">What works</a></li><li><a href=\"#measured\">Measured</a></li></ul>"

    static func code(_ repository: RepositorySnapshot) -> String {
        let language = (repository.language ?? "shell").lowercased().filter(\.isLetter)
        return "<div class=\"highlight highlight-source-\(language) notranslate position-relative "
            + "overflow-auto\" dir=\"auto\" data-snippet-clipboard-copy-content=\"make install\"><pre>"
            + "<span class=\"pl-c\"><span class=\"pl-c\">//</span> a line and a long one</span>\n"
            + "<span class=\"pl-k\">let</span> <span class=\"pl-s1\">answer</span> "
            + "<span class=\"pl-c1\">=</span> <span class=\"pl-en\">compute</span>(<span class=\"pl-s\">"
            + "<span class=\"pl-pds\">\"</span>6 &lt; 7 &amp;&amp; 7 &gt; 6<span class=\"pl-pds\">\"</span>"
            + "</span>, <span class=\"pl-c1\">\(String(repeating: "1234567890", count: 14))</span>)\n"
            + "</pre></div>"
    }

    static let tasks =
        "<ul class=\"contains-task-list\"><li class=\"task-list-item\"><input type=\"checkbox\" id=\"\" "
        + "disabled=\"\" class=\"task-list-item-checkbox\" checked=\"\"> it starts</li>"
        + "<li class=\"task-list-item\"><input type=\"checkbox\" id=\"\" disabled=\"\" "
        + "class=\"task-list-item-checkbox\"> it ends</li></ul>"

    /// GitHub misspells the element's name in the same way.
    static let table =
        "<markdown-accessiblity-table><table><thead><tr><th align=\"left\">Machine</th>"
        + "<th align=\"right\">Seconds</th></tr></thead><tbody><tr><td align=\"left\">a small one</td>"
        + "<td align=\"right\">1,204.5</td></tr><tr><td align=\"left\"><code>large</code></td>"
        + "<td align=\"right\">0.3</td></tr></tbody></table></markdown-accessiblity-table>"

    static let notes =
        "<blockquote><p dir=\"auto\">Quoted, <em>with</em> <del>struck</del> words, "
        + "<kbd>Ctrl</kbd>+<kbd>C</kbd>, H<sub>2</sub>O and a footnote.<sup><a "
        + "href=\"#user-content-fn-1\" id=\"user-content-fnref-1\" data-footnote-ref=\"\">1</a></sup></p>"
        + "</blockquote><div class=\"markdown-alert markdown-alert-warning\" dir=\"auto\">"
        + "<p class=\"markdown-alert-title\" dir=\"auto\">Warning</p><p dir=\"auto\">It is hot.</p></div>"
        + "<details><summary>More of it</summary><ol start=\"3\"><li>three</li><li>four</li></ol></details>"
        + "<section data-footnotes=\"\" class=\"footnotes\"><ol dir=\"auto\"><li id=\"user-content-fn-1\">"
        + "<p dir=\"auto\">Small print. <a href=\"#user-content-fnref-1\" data-footnote-backref=\"\" "
        + "class=\"data-footnote-backref\"><g-emoji class=\"g-emoji\" alias=\"leftwards_arrow_with_hook\">"
        + "↩</g-emoji></a></p></li></ol></section>"

    static func links(_ page: String, _ branch: String) -> String {
        "<p dir=\"auto\"><a href=\"\(page)/blob/\(branch)/LICENSE\">LICENSE</a>, "
            + "<a href=\"docs/README.md#more\">a relative link</a>, <a href=\"../../issues\">issues</a>, "
            + "<a href=\"https://example.org/\" rel=\"nofollow\">elsewhere</a>, "
            + "<a href=\"mailto:ada@example.org\">write to us</a>, <a class=\"user-mention notranslate\" "
            + "data-hovercard-type=\"user\" href=\"/ada\">@ada</a></p><hr>"
    }

    static func chapter(_ number: Int) -> String {
        "<p dir=\"auto\">"
            + String(repeating: "Sentence after sentence, as in a book that is read to the end. ", count: 24)
            + "</p><p dir=\"auto\">That was chapter <strong>\(number)</strong>.</p>"
    }

    static let rightToLeft =
        "<p dir=\"rtl\">هذه مكتبة صغيرة لقراءة <code>التقويم</code> الهجري، مع أمثلة (2026).</p>"
        + "<p dir=\"auto\">ספריה קטנה, עם <a href=\"docs/he.md\">תיעוד</a> בעברית.</p>"
        + "<p dir=\"auto\">小さな図書館。</p><blockquote dir=\"rtl\"><p>اقتباس</p></blockquote>"
}

/// Markup that a README must never apply to the page, even though GitHub would have removed it.
enum HostileMarkup {
    static let text = """
        <script>document.title = 'owned'</script><style>body { display: none }</style>
        <p onclick="alert(1)" style="position:fixed;inset:0" class="button" id="main">A text that acts.</p>
        <a href="javascript:alert(1)">a script</a> <a href=" java\tscript:alert(1)">one in disguise</a>
        <a href="data:text/html,<script>alert(1)</script>">data</a> <a href="vbscript:x">old</a>
        <a href="//evil.example/x">no scheme</a> <a href="/logout">this very host</a>
        <img src="x" onerror="alert(1)" alt="a broken picture">
        <img src="data:image/svg+xml,<svg onload=alert(1)>"> <img src="http://127.0.0.1:1/in" alt="inside">
        <img src="http://192.168.0.1/router.png" alt="a router">
        <img src="file:///etc/passwd" alt="a file"> <img src="http://[::1]/x.png" alt="loopback">
        <iframe src="https://evil.example/"></iframe><object data="x"></object><embed src="x">
        <form action="/login" method="post"><input name="password"><button>Sign in again</button></form>
        <meta http-equiv="refresh" content="0;url=https://evil.example/"><base href="https://evil.example/">
        <svg><script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>
        <math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">
        <noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>
        <template><script>alert(1)</script></template> {{mustache}} {{{unescaped}}} <%= erb %>
        <div dir="rtl"><b><i><u>unclosed <p>and nested <table><tr><td>wrongly</b></p>
        <!-- a comment that ends nowhere <img src=x onerror=alert(1)>
        """
}
