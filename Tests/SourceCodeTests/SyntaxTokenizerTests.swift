import Testing

@testable import SourceCode

@Suite struct SyntaxTokenizerTests {
    @Test(arguments: [
        (
            "a.swift", "let x: Int = load(0x1F) // note",
            "keyword(let) type(Int) function(load) number(0x1F) comment(// note)"
        ),
        (
            "a.swift", #"@Test #if let a = "b \(c("d"))""#,
            #"attribute(@Test) keyword(#if) keyword(let) string("b \(c("d"))")"#
        ),
        (
            "a.swift", ##"x = #"raw "q" \"#, .default, 0..<5"##,
            ##"string(#"raw "q" \"#) number(0) number(5)"##
        ),
        ("a.c", "#include <a.h>", "keyword(#include)"),
        (
            "a.c", "static int f(char *p) { return '\\''; }",
            "keyword(static) type(int) function(f) type(char) keyword(return) string('\\'')"
        ),
        ("a.cpp", "auto n = 1'000; // c", "keyword(auto) number(1) number(000) comment(// c)"),
        ("a.m", "@interface Foo : NSObject", "attribute(@interface)"),
        (
            "A.java", "@Override public Foo f() { return MAX; }",
            "attribute(@Override) keyword(public) type(Foo) function(f) keyword(return)"
        ),
        ("a.kt", #"fun f() = "a ${g("b")}""#, #"keyword(fun) function(f) string("a ${g("b")}")"#),
        ("a.cs", #"var p = @"C:\"; Run<Foo>();"#, #"keyword(var) string(@"C:\") type(Run) type(Foo)"#),
        (
            "a.go", "func Run() error { return nil }",
            "keyword(func) function(Run) type(error) keyword(return) keyword(nil)"
        ),
        ("a.rs", "#[derive(Debug)]", "attribute(#[derive(Debug)])"),
        (
            "a.rs", "fn f<'a>(c: &'a str) { println!('x') }",
            "keyword(fn) type(str) function(println) string('x')"
        ),
        (
            "a.js", "const r = /a[/]b/g.test(x) / 2",
            "keyword(const) string(/a[/]b/g) function(test) number(2)"
        ),
        (
            "a.ts", "let a: string = `b ${c ? `d` : 1}`",
            "keyword(let) type(string) string(`b ${c ? `d` : 1}`)"
        ),
        (
            "a.tsx", "return <Foo bar=\"x\">Don't</Foo>",
            "keyword(return) tag(Foo) attribute(bar) string(\"x\") type(Don) tag(Foo)"
        ),
        ("a.jsx", "if (a < b && c > d) {}", "keyword(if)"),
        (
            "a.py", "def f(self): return f\"x\" # c",
            "keyword(def) function(f) keyword(self) keyword(return) string(\"x\") comment(# c)"
        ),
        (
            "a.rb", "@a = \"b #{c[\"d\"]}\" unless x =~ /e/",
            "attribute(@a) string(\"b #{c[\"d\"]}\") keyword(unless) string(/e/)"
        ),
        (
            "a.php", "#[A] class B { function c($class) {} } # d",
            "attribute(#[A]) keyword(class) type(B) keyword(function) function(c) comment(# d)"
        ),
        (
            "a.sh", "if [ \"$(a \"b\")\" = 'c' ]; then echo $1; fi # d",
            "keyword(if) string(\"$(a \"b\")\") string('c') keyword(then) keyword(echo) attribute($1) keyword(fi) comment(# d)"
        ),
        ("a.sh", "echo a#b", "keyword(echo)"),
        (
            "a.sql", "SELECT count(*) FROM t -- c",
            "keyword(SELECT) function(count) keyword(FROM) comment(-- c)"
        ),
        (
            "a.html", "<a href=\"b\" c=d>e</a><!-- f -->",
            "tag(a) attribute(href) string(\"b\") attribute(c) string(d) tag(a) comment(<!-- f -->)"
        ),
        ("a.html", "1 < 2 <b>", "tag(b)"),
        ("a.html", "<script>let a = 1</script><i>", "tag(script) keyword(let) number(1) tag(script) tag(i)"),
        ("a.html", "<style>a { color: red }</style>", "tag(style) tag(a) attribute(color) tag(style)"),
        ("a.xml", "<?xml version='1.0'?><a:b/>", "tag(xml) attribute(version) string('1.0') tag(a:b)"),
        (
            "a.css", ".a > b:hover { color: #fff !important; }",
            "type(.a) tag(b) tag(hover) attribute(color) number(#fff) keyword(!important)"
        ),
        ("a.scss", "$a: 1px; // c", "attribute($a) number(1px) comment(// c)"),
        ("a.css", "background:url(http://x)", "attribute(background) function(url)"),
        (
            "a.json", "{ \"a\": \"b\", \"c\" : [1e5, true] }",
            "attribute(\"a\") string(\"b\") attribute(\"c\") number(1e5) keyword(true)"
        ),
        ("a.yml", "- name: Don't # c", "attribute(name) comment(# c)"),
        ("a.yaml", "a: &b 12.5", "attribute(a) type(&b) number(12.5)"),
        ("a.toml", "[a.b] # c", "heading([a.b]) comment(# c)"),
        ("a.ini", "key.one = \"v\" ; c", "attribute(key.one) string(\"v\") comment(; c)"),
        ("a.md", "# Title", "heading(# Title)"),
        ("a.md", "- `code` [a](http://b)", "keyword(-) string(`code`) string(http://b)"),
        (
            "Dockerfile", "RUN from \"$A\" ${B} # c",
            "keyword(RUN) string(\"$A\") attribute(${B}) comment(# c)"
        ),
        ("Makefile", "all: $(OBJ) # c", "function(all) attribute($(OBJ)) comment(# c)"),
        ("Makefile", "CC := gcc", ""),
        ("a.lua", "local a = [[b]] -- c", "keyword(local) string([[b]]) comment(-- c)"),
        ("a.scala", "case class A(b: Int)", "keyword(case) keyword(class) type(A) type(Int)"),
        ("a.dart", "final a = 'b';", "keyword(final) string('b')"),
        ("a.proto", "optional string a = 1;", "keyword(optional) type(string) number(1)"),
        ("a.tf", "resource \"a\" \"b\" {", "keyword(resource) string(\"a\") string(\"b\")"),
        ("a.graphql", "type A { b: Int! }", "keyword(type) type(A) type(Int)"),
        ("a.gradle", "def a = 'b'", "keyword(def) string('b')"),
        ("a.unknown", "let a = 1", ""),
    ])
    func `a line has the colors of its language`(path: String, code: String, expected: String) {
        #expect(ShownDiff.syntax(code, path: path) == [expected])
    }

    @Test(arguments: [
        ("a.swift", "/* a /* b */\nc */ let", ["comment(/* a /* b */)", "comment(c */) keyword(let)"]),
        ("a.c", "/* a /* b */ if\nc", ["comment(/* a /* b */) keyword(if)", ""]),
        (
            "a.swift", "\"\"\"\nlet \"a\"\n\"\"\" let",
            ["string(\"\"\")", "string(let \"a\")", "string(\"\"\") keyword(let)"]
        ),
        ("a.swift", "\"open\nlet", ["string(\"open)", "keyword(let)"]),
        ("a.py", "'''a\nif'''\nif", ["string('''a)", "string(if''')", "keyword(if)"]),
        ("a.js", "`a\n${b}` if", ["string(`a)", "string(${b}`) keyword(if)"]),
        (
            "a.sh", "cat <<EOF | x\ndon't if\n EOF\nfi",
            ["string(<<EOF)", "string(don't if)", "string( EOF)", "keyword(fi)"]
        ),
        (
            "a.rb", "a = <<~SQL\nif\n  SQL\nend",
            ["string(<<~SQL)", "string(if)", "string(  SQL)", "keyword(end)"]
        ),
        ("a.php", "$a = <<<X\nif\nX; if", ["string(<<<X)", "string(if)", "string(X) keyword(if)"]),
        ("a.lua", "--[[ a\nif ]] if", ["comment(--[[ a)", "comment(if ]]) keyword(if)"]),
        (
            "a.html", "<!-- a\nb --> <i\nc='d\ne'>",
            ["comment(<!-- a)", "comment(b -->) tag(i)", "attribute(c) string('d)", "string(e')"]
        ),
        (
            "a.html", "<script>\nif \"</b>\"\n</script>if",
            ["tag(script)", "keyword(if) string(\"</b>\")", "tag(script)"]
        ),
        (
            "a.yml", "- run: |\n    if: x\n\n    b\n  c: on",
            ["attribute(run) keyword(|)", "string(if: x)", "", "string(b)", "attribute(c) keyword(on)"]
        ),
        ("a.md", "```swift\nlet a\n```\nlet a", ["keyword(```swift)", "keyword(let)", "keyword(```)", ""]),
        ("a.md", "~~~~ html\n<a>\n~~~\n~~~~", ["keyword(~~~~ html)", "tag(a)", "", "keyword(~~~~)"]),
    ])
    func `comments and strings continue on the next line`(path: String, code: String, expected: [String]) {
        #expect(ShownDiff.syntax(code, path: path) == expected)
    }

    private func colored(_ patch: String, _ path: String) -> [String] {
        FileDiff(patch: patch, path: path).hunks.flatMap(\.lines).map(ShownDiff.syntax)
    }

    @Test func `a comment that only the old file opens does not color the new one`() {
        let patch = "@@ -1,3 +1,3 @@\n-/* a\n+a\n-if */\n+if\n if"
        #expect(
            colored(patch, "a.c") == ["comment(/* a)", "", "comment(if */)", "keyword(if)", "keyword(if)"])
    }

    @Test func `a line of context has the color of the new file`() {
        let patch = "@@ -1,2 +1,4 @@\n+/*\n if\n+*/\n if"
        #expect(colored(patch, "a.c") == ["comment(/*)", "comment(if)", "comment(*/)", "keyword(if)"])
    }

    @Test(arguments: [
        (" if\n * x\n if */\n if", ["comment(if)", "comment(* x)", "comment(if */)", "keyword(if)"]),
        ("  * if\n  * x\n  */\n if", ["comment( * if)", "comment( * x)", "comment( */)", "keyword(if)"]),
        (
            " if /* x\n if\n if */\n if",
            ["keyword(if) comment(/* x)", "comment(if)", "comment(if */)", "keyword(if)"]
        ),
        (
            " if \"**/*.js\"\n if\n if\n if",
            ["keyword(if) string(\"**/*.js\")", "keyword(if)", "keyword(if)", "keyword(if)"]
        ),
        (" *p = 1\n if\n if\n if", ["number(1)", "keyword(if)", "keyword(if)", "keyword(if)"]),
    ])
    func `a hunk that begins inside a comment is recognised`(lines: String, expected: [String]) {
        #expect(colored("@@ -9,4 +9,4 @@\n" + lines, "a.c") == expected)
    }

    @Test(arguments: [
        ("Sources/A.SWIFT", "swift"), ("a.h", "c"), ("docker/Dockerfile.dev", "dockerfile"),
        ("x/GNUmakefile", "makefile"),
        ("Gemfile", "ruby"), (".eslintrc", "json"), ("a.d.ts", "typescript"), ("Jenkinsfile", "groovy"),
        (".env", "toml"),
        ("a.yaml", "yaml"), ("a.vue", "html"), ("BUILD.bazel", "python"),
    ])
    func `a file's name decides about its language`(path: String, name: String) {
        #expect(SyntaxLanguage.of(path: path)?.name == name)
    }

    @Test(arguments: ["", "/", "README", "a.", "a.bin", "swift", "a/.b/c"])
    func `other files have no language`(_ path: String) {
        #expect(SyntaxLanguage.of(path: path) == nil)
    }

    @Test func `languages have different names`() {
        #expect(Set(SyntaxLanguage.all.map(\.name)).count == SyntaxLanguage.all.count)
    }
}
