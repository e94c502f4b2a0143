import Testing

@Suite struct TemplateErrorTests {
    @Test(arguments: [
        ("{{#name}}\nthree {{/other}}\n", "3:10: error: {{/other}} does not close {{#name}} of line 2"),
        ("a\n  {{#name}}\n", "3:6: error: {{#name}} is never closed"),
        ("{{/name}}", "2:4: error: {{/name}} does not close anything"),
        ("ä {{name", "2:4: error: the tag is never closed with }}"),
        ("{{name\n}}", "2:1: error: the tag is never closed with }}"),
        ("{{{name}}", "2:1: error: the tag is never closed with }}}"),
        ("{{", "2:1: error: the tag is never closed"),
        ("{{  }}", "2:1: error: the tag has no name"),
        ("{{first second}}", "2:3: error: a tag has one name"),
        ("{{a}b}}", "2:3: error: “a}b” isn't a name"),
        ("{{na-me}}", "2:3: error: “na-me” isn't a name"),
        ("{{a..b}}", "2:3: error: “a..b” isn't a name"),
        ("{{@}}", "2:3: error: “@” isn't a name"),
        ("{{1}}", "2:3: error: “1” isn't a name"),
        ("{{=<% %>=}}", "2:1: error: {{= is not known here"),
        ("{{&name}}", "2:1: error: {{& is not known here"),
        ("{{> *name}}", "2:5: error: there is no template *name"),
        ("{{$a b}}{{/a}}", "2:4: error: a tag has one name"),
        ("{{$a-b}}{{/a-b}}", "2:4: error: “a-b” isn't a name"),
        ("{{>one two three}}", "2:4: error: {{>template name}}"),
        ("{{<hall/Layout}}{{/hall/Layout}}", "2:4: error: a layout shows a value: {{<template name}}"),
    ])
    func `a syntax error is reported with its position`(template: String, error: String) {
        #expect(Compiled(template).errors == ["Templates/hall/View.mustache:\(error)"])
    }

    @Test func `an unknown template, block or layout is reported with its position`() {
        let layout = "{{! part Layout }}\n{{$title}}{{/title}}\n"
        #expect(
            Compiled("<p>\n  {{>hall/other}}").errors
                == ["Templates/hall/View.mustache:3:6: error: there is no template hall/other"])
        #expect(
            Compiled("{{<hall/other x}}{{/hall/other}}").errors
                == ["Templates/hall/View.mustache:2:4: error: there is no template hall/other"])
        #expect(
            Compiled([
                "hall/View": "{{! view View }}\n{{<hall/Layout x}}\n{{$titel}}{{/titel}}\n{{/hall/Layout}}",
                "hall/Layout": layout,
            ]).errors == ["Templates/hall/View.mustache:3:4: error: hall/Layout has no block titel"])
        #expect(
            Compiled([
                "hall/View": "{{! view View }}\n{{<hall/Layout x}}\n{{name}}\n{{/hall/Layout}}",
                "hall/Layout": layout,
            ]).errors.first?.hasPrefix(
                "Templates/hall/View.mustache:2:4: error: only blocks are allowed in {{<hall/Layout x}}")
                == true)
        #expect(
            Compiled(["hall/View": "{{! view View }}\n{{>hall/Layout}}", "hall/Layout": layout]).errors
                == ["Templates/hall/View.mustache:2:4: error: hall/Layout is a layout: {{<hall/Layout …}}"])
    }

    @Test(arguments: [
        "", "<p>", "{{name}}", "{{! views View }}", "{{! view }}", "{{! view A B }}", "{{! view A }} x",
    ])
    func `the first line declares what a template shows`(first: String) {
        let errors = Compiled(["hall/View": "\(first)\n<p>"]).errors
        #expect(errors.count == 1)
        #expect(errors.first?.contains("View.mustache:1:") == true)
        #expect(
            errors.first?.contains("error: the first line says what the template shows: {{! view NAME }}")
                == true)
    }

    @Test func `a template has its view's name, file names are unique, and every partial is used`() {
        #expect(
            Compiled(["hall/row": "{{! view Row }}\n"]).errors
                == ["Templates/hall/row.mustache:1:1: error: the template of Row is named Row.mustache"])
        #expect(
            Compiled(["hall/Row": "{{! view Row }}\n", "porch/Row": "{{! view Row }}\n"]).errors
                == ["Templates/porch/Row.mustache:1:1: error: hall/Row has the same name"])
        #expect(
            Compiled(["hall/mark": "{{! part Marked }}\n"]).errors
                == ["Templates/hall/mark.mustache:1:1: error: no other template uses this part"])
        #expect(
            Compiled(["hall/Frame": "{{! view Frame }}\n{{$a}}{{/a}}\n"]).errors
                == ["Templates/hall/Frame.mustache:1:1: error: a layout is a part: {{! part Frame }}"])
    }

    @Test func `all errors are reported at once`() {
        let errors = Compiled(["a/A": "x", "a/B": "{{! view B }}\n{{#b}}", "a/C": "{{! view C }}\nfine"])
            .errors
        #expect(
            errors.map { $0.prefix { $0 != ":" } } == ["Templates/a/A.mustache", "Templates/a/B.mustache"])
    }
}
