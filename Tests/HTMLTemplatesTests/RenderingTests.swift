import HTMLTemplates
import Testing

@Suite struct RenderingTests {
    @Test func `a condition shows its section or the inverted one`() {
        #expect(line(1, of: Sections(isOn: true)) == "on")
        #expect(line(1, of: Sections(isOn: false)) == "off")
    }

    @Test func `an optional text is its section's value, and names still refer to the view`() {
        #expect(line(2, of: Sections(word: "<w>")) == "word &lt;w&gt; of the page")
        #expect(line(2, of: Sections(word: "")) == "word  of the page")
        #expect(line(2, of: Sections()) == "no word")
    }

    @Test func `a list of texts is written in order`() {
        #expect(line(3, of: Sections(words: ["a", "b"])) == "<a of the page><b of the page>")
        #expect(line(3, of: Sections()) == "no words")
    }

    @Test func `names within a view are its own, and self is the template's`() {
        #expect(line(4, of: Sections(person: Person(name: "Bob"))) == "Bob and the page")
        #expect(line(4, of: Sections()) == "nobody")
        #expect(line(5, of: Sections()) == "Ada Ada")
    }

    @Test func `a list of views shows each one, including nested lists`() {
        let eve = Person(
            name: "Eve", isOld: true, nick: "E", friends: [Person(name: "Dan"), Person(name: "Fay")])
        let text = Sections(people: [eve, Person(name: "Guy", isOld: true)]).text()
        #expect(text.contains("\nEve, “E”, old\n- Dan of the page\n- Fay of the page\nGuy, old\n"))
    }

    @Test func `a partial shows the current view or another value, which may be missing`() {
        let people = [Person(name: "<Eve>"), Person(name: "Guy")]
        #expect(
            Sections(person: Person(name: "Bob"), people: people).text()
                .hasSuffix("Hello, Bob!\nHello, &lt;Eve&gt;!\nHello, Guy!\n\n"))
        #expect(Sections().text().hasSuffix("Ada Ada\n\n"))
    }

    @Test func `a page fills its layout's blocks in any order, and the layout supplies the missing ones`() {
        #expect(
            Page(heading: "<Hi>").text()
                == "<title>&lt;Hi&gt;, A &amp; B</title>\n<main>\n<h1>&lt;Hi&gt;</h1>\n<i>here</i>\n\n</main>\n"
        )
        #expect(
            EmptyPage(frame: Frame(isLong: true)).text()
                == "<title>No title, A &amp; B</title>\n<main>\n\n</main>\n<footer>nothing below</footer>\n")
    }

    @Test func `the page's values are available at any depth`() {
        #expect(
            Page(heading: "").text(TemplateContext(token: "<t>")).contains("\n<input value=\"&lt;t&gt;\">\n"))
    }

    @Test func `a tag alone on its line removes the line, and indentation is dropped`() {
        let text =
            "<a>\n<b>  two  </b>\nalone\n beside \nname  \n\nname \n\"\\ 'ä' }} { {\nname\n"
        #expect(Lines().text() == text)
    }

    @Test func `a partial may include itself, to any depth`() {
        let text = Nest(depth: 0, of: 2_000).text()
        #expect(text.hasPrefix("(0(1(2(3"))
        #expect(text.contains("(1999(2000)\n)\n)\n"))
    }

    @Test func `ten thousand rows grow the buffer as needed`() {
        let people = (0..<10_000).map { Person(name: "Person \($0)") }
        let text = Sections(people: people).text()
        #expect(text.utf8.count > 200_000)
        #expect(text.contains("\nHello, Person 9999!\n"))
    }

    private func line(_ number: Int, of view: Sections) -> String {
        String(view.text().split(separator: "\n", omittingEmptySubsequences: false)[number - 1])
    }
}
