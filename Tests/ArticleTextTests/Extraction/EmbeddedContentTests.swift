import TestSupport
import Testing

@testable import ArticleText

/// Formulas, code, pictures and media that a page shows by other means than text.
@Suite struct EmbeddedContentTests {
    private static let formula =
        "<math alttext=\"a_{k}\\leq b_{k}\"><mrow><msub><mi>a</mi><mi>k</mi></msub><mo>&le;</mo><mi>b</mi></mrow></math>"

    // MARK: Formulas

    @Test(arguments: [
        (formula, "a_{k}\\leq b_{k}"),
        (
            "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>x^2</annotation></semantics></math>",
            "x^2"
        ),
        (
            "<math><msub><mi>a</mi><mi>k</mi></msub><mo>=</mo><mfrac><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math>",
            "a_k=(b+1)/2"
        ),
        ("<script type='math/tex'>y=kx+d</script>", "y=kx+d"),
        (
            "<span class='katex'><span class='katex-mathml'><math><semantics><mi>z</mi><annotation encoding='application/x-tex'>z_0</annotation></semantics></math></span><span class='katex-html' aria-hidden='true'>z0</span></span>",
            "z_0"
        ),
    ])
    func `a formula stays as its source, once`(formula: String, source: String) throws {
        let sentence =
            "For all the lamps of the coast we have \(formula) and therefore the sum stays below it."
        let article = try SamplePage.extract(inside: "<p>\(sentence)</p>")
        #expect(
            article.text.contains(
                "For all the lamps of the coast we have \(source) and therefore the sum stays below it."))
        #expect(article.markup.html.contains("we have <code>\(source)</code> and therefore"))
    }

    @Test func `a formula that is also a picture is text, and a picture in the markup`() throws {
        let article = try SamplePage.extract(
            inside: """
                <p>He wrote <span class="mwe-math-element"><span style="display:none"><math alttext="{\\displaystyle E=mc^2}">\
                <mi>E</mi></math></span><img src="/e.svg" class="mwe-math-fallback-image-inline" alt="E"></span> above the \
                door of the tower, where nobody could read it.</p>
                """)
        #expect(article.text.contains("He wrote E=mc^2 above the door"))
        #expect(
            article.markup.html.contains("He wrote <img src=\"https://paper.example/e.svg\" alt=\"E\"> above")
        )
    }

    @Test func `a picture in a box that is named like line numbers stays`() throws {
        let article = try SamplePage.extract(
            inside: "<div class=\"gutter\"><img src=\"/boat.jpg\" alt=\"A boat\"></div>")
        #expect(article.markup.html.contains("https://paper.example/boat.jpg"))
    }

    @Test func `a cell without text stays a cell`() throws {
        let article = try SamplePage.extract(
            inside: """
                <p>The harbour office published what the storms of these years had cost:</p><table><tr><th>Year</th>\
                <th>Boats</th><th>Piers</th></tr><tr><td>1931</td><td></td><td>One long pier</td></tr><tr><td>1932</td>\
                <td>\(Self.formula)</td><td>Another pier</td></tr></table>
                """)
        #expect(article.markup.html.contains("<tr><td>1931</td><td></td><td>One long pier</td></tr>"))
        #expect(
            article.markup.html.contains(
                "<tr><td>1932</td><td><code>a_{k}\\leq b_{k}</code></td><td>Another pier</td></tr>"))
    }

    // MARK: Code

    @Test(arguments: [
        "<table class='highlight js-file-line-container'><tbody><tr><td class='blob-num' data-line-number='1'></td><td class='blob-code js-file-line'><span>func</span> light() {</td></tr>\n<tr><td class='blob-num' data-line-number='2'></td><td class='blob-code js-file-line'>    lamp.turn()</td></tr></tbody></table>",
        "<div class='highlight'><table class='rouge-table'><tbody><tr><td class='gutter gl'><pre class='lineno'>1\n2\n</pre></td><td class='code'><pre><span>func</span> light() {\n    lamp.turn()\n</pre></td></tr></tbody></table></div>",
        "<div class='syntaxhighlighter'><table><tbody><tr><td class='gutter'><div class='line number1'>1</div><div class='line number2'>2</div></td><td class='code'><div class='container'><div class='line number1'>func light() {</div><div class='line number2'>    lamp.turn()</div></div></td></tr></tbody></table></div>",
        "<table class='hljs-ln'><tbody><tr><td class='hljs-ln-line hljs-ln-numbers'><div class='hljs-ln-n'></div></td><td class='hljs-ln-line hljs-ln-code'>func light() {</td></tr><tr><td class='hljs-ln-line hljs-ln-numbers'><div class='hljs-ln-n'></div></td><td class='hljs-ln-line hljs-ln-code'>    lamp.turn()</td></tr></tbody></table>",
        "<pre><span class='lineno'>1</span>func light() {\n<span class='lineno'>2</span>    lamp.turn()</pre>",
    ])
    func `code in a table keeps its indentation and loses its line numbers`(code: String) throws {
        let article = try SamplePage.extract(
            inside: "<p>Today a small program turns the lamp on when it becomes dark:</p>\(code)")
        #expect(article.text.contains("\nfunc light() {\n    lamp.turn()\n"))
        #expect(article.markup.html.contains("<pre>"))
        #expect(!article.markup.html.contains("<table>"))
        #expect(!article.text.contains("\n1\n") && !article.text.contains("1func"))
    }

    @Test func `a table of data with classes of code stays a table`() throws {
        let article = try SamplePage.extract(
            inside: """
                <p>The harbour office published what the storms of these years had cost:</p><table><tr><th class="line-number">\
                Year</th><th>Boats lost</th></tr><tr><td class="line-number">1931 or so</td><td>Twelve boats</td></tr></table>
                """)
        #expect(article.markup.html.contains("<tr><td>1931 or so</td><td>Twelve boats</td></tr>"))
    }

    // MARK: Pictures

    @Test(arguments: [
        "<img data-url='/a.png' src='data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=='>",
        "<img data-lazy='/a.png' src='/placeholder.gif'>", "<img data-image='/a.png'>",
        "<span class='lazy-image' data-src='/a.png'></span>", "<div data-anything='/a.png'></div>",
        "<amp-img src='/a.png' width='400' height='300'></amp-img>",
        "<div role='img' style=\"background-image: url('/a.png')\"></div>",
        "<div style='background-image:url(/a.png)'></div>",
    ])
    func `a picture is found under any attribute`(picture: String) throws {
        let article = try SamplePage.extract(
            inside: "<figure>\(picture)<figcaption>The tower in the evening light</figcaption></figure>")
        #expect(article.markup.html.contains("<img src=\"https://paper.example/a.png\""))
        #expect(article.markup.html.components(separatedBy: "<img").count == 2)
    }

    @Test func `a picture's own address counts more than other attributes`() throws {
        let article = try SamplePage.extract(
            inside:
                "<figure><img src='/own.png' data-full='/big.png'><figcaption>The tower</figcaption></figure>"
        )
        #expect(article.markup.html.contains("<img src=\"https://paper.example/own.png\""))
    }

    // MARK: Media

    @Test(arguments: [
        (
            "<iframe src='https://www.youtube.com/embed/abc_DEF-123' title='The tide in the harbour'></iframe>",
            "https://www.youtube.com/watch?v=abc_DEF-123", "The tide in the harbour"
        ),
        (
            "<iframe data-src='https://player.vimeo.com/video/12345?h=1' title='Vimeo video player'></iframe>",
            "https://vimeo.com/12345", "Video on Vimeo"
        ),
        (
            "<video controls><source src='/tide.mp4'></video>", "https://paper.example/tide.mp4",
            "Video on paper.example"
        ),
        (
            "<audio src='/waves.mp3' title='Sound of waves'></audio>", "https://paper.example/waves.mp3",
            "Sound of waves"
        ),
        (
            "<lite-youtube videoid='ogfYd705cRs'></lite-youtube>",
            "https://www.youtube.com/watch?v=ogfYd705cRs",
            "Video on YouTube"
        ),
        (
            "<blockquote class='instagram-media' data-instgrm-permalink='https://www.instagram.com/p/X1/'><a href='https://www.instagram.com/p/X1/'>View this post</a></blockquote>",
            "https://www.instagram.com/p/X1/", "View this post"
        ),
    ])
    func `embedded media become links with titles`(media: String, url: String, title: String) throws {
        let html = try SamplePage.extract(inside: media).markup.html
        #expect(html.contains("<a href=\"\(url)\""))
        #expect(html.contains(">\(title)</a>"))
    }

    @Test(arguments: [
        "<iframe src='https://googleads.g.doubleclick.net/x'></iframe>",
        "<iframe src='https://www.googletagmanager.com/ns.html' style='display:none'></iframe>",
        "<iframe src='about:blank'></iframe>", "<iframe src='/pixel' width='1' height='1'></iframe>",
        "<video></video>",
    ])
    func `adverts and frames without content leave nothing`(frame: String) throws {
        #expect(!(try SamplePage.extract(inside: frame).markup.html.contains("<a ")))
    }
}
