package import ArticleText
import Testing

/// A page like those of blogs and newspapers: an article among menus, notices and links to other articles.
package enum SamplePage {
    package static let paragraphs = [
        "The old lighthouse keeper climbed the stairs every evening, and he counted them aloud, although nobody had been there to listen for years.",
        "When the storm came, it took the roof of the boathouse first, and then the small pier that his father had built in the summer of 1931.",
        "He wrote down what had been lost, as he had been told to do, and he sent the list to the harbour office, which never answered such letters.",
        "In the spring a young woman came from the city, because she wanted to see how the lamp worked, and she stayed until the lenses were clean again.",
    ]

    package static let menu =
        "<header class='site-header'><nav class='main-menu'><ul><li><a href='/'>Home</a></li><li><a href='/news'>News</a></li><li><a href='/about'>About us</a></li><li><a href='/login'>Sign in</a></li></ul></nav></header>"
    package static let footer =
        "<footer class='site-footer'><ul><li><a href='/privacy'>Privacy policy</a></li><li><a href='/terms'>Terms of use</a></li></ul><p>© 2025 The Harbour Paper. All rights reserved.</p></footer>"

    /// - Parameters:
    ///     - inside: HTML in the middle of the article
    ///     - after: HTML after it
    package static func html(inside: String = "", after: String = "", head: String = "", before: String = "")
        -> String
    {
        """
        <!DOCTYPE html><html lang="en-GB"><head><title>The keeper of the light - The Harbour Paper</title>\(head)</head>
        <body>\(before)\(menu)<main><article class="post"><h1>The keeper of the light</h1>
        <div class="entry-content"><p>\(paragraphs[0])</p><p>\(paragraphs[1])</p>
        \(inside)
        <p>\(paragraphs[2])</p><p>\(paragraphs[3])</p></div></article>\(after)</main>\(footer)</body></html>
        """
    }

    package static let address = "https://paper.example/2025/09/04/keeper?from=home"

    package static func extract(_ html: String) throws -> ExtractedArticle {
        try ArticleExtractor.extract(html.utf8, charset: "utf-8", url: address)
    }

    package static func extract(
        inside: String = "", after: String = "", head: String = "", before: String = ""
    ) throws -> ExtractedArticle {
        try extract(html(inside: inside, after: after, head: head, before: before))
    }
}
