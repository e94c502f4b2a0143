// The words are those of the languages' references. Words that are keywords only at certain positions are included if
// they are rarely names.
extension SyntaxLanguage {
    static let all: [SyntaxLanguage] = [
        swift, cFamily, java, kotlin, groovy, cSharp, go, rust, javaScript, typeScript, python, ruby, php,
        shell,
        sql, markup, style, json, yaml, settings, markdown, docker, make, lua, scala, dart, protobuf,
        terraform,
        graphQL,
    ]

    private static let slashes = ["//"]
    private static let cComments = [Pair("/*", "*/")]
    private static let nestedComments = [Pair("/*", "*/", nests: true)]
    private static let quoted = Pair("\"", "\"")
    private static let singleQuoted = Pair("'", "'")
    private static let longQuoted = Pair("\"\"\"", "\"\"\"", spansLines: true)

    static let swift = SyntaxLanguage(
        "swift", traits: [.capitalTypes, .attributes, .directives],
        keywords: """
            actor any as associatedtype async await borrowing break case catch class consuming continue convenience \
            default defer deinit didSet do dynamic else enum extension fallthrough false fileprivate final for func \
            get guard if import in indirect infix init inout internal is isolated lazy let macro mutating nil \
            nonisolated nonmutating open operator optional override package postfix precedencegroup prefix private \
            protocol public repeat required rethrows return self sending set some static struct subscript super \
            switch throw throws true try typealias unowned var weak where while willSet yield
            """,
        types: "Self Any", lineComments: slashes, blockComments: nestedComments,
        strings: [
            Pair("##\"", "\"##", escapes: false),
            Pair("#\"\"\"", "\"\"\"#", escapes: false, spansLines: true),
            Pair("#\"", "\"#", escapes: false), longQuoted, quoted,
        ],
        interpolations: [Pair("\\(", ")")])

    static let cFamily = SyntaxLanguage(
        "c", traits: [.characters, .directives, .attributes],
        keywords: """
            alignas alignof and asm auto break case catch class co_await co_return co_yield concept const consteval \
            constexpr constinit const_cast continue decltype default delete do dynamic_cast else enum explicit \
            export extern false final for friend goto if import inline mutable namespace new noexcept not nullptr \
            operator or override private protected public register reinterpret_cast requires restrict return self \
            sizeof static static_assert static_cast struct super switch template this thread_local throw true try \
            typedef typeid typename union using virtual volatile while nil YES NO NULL nonatomic strong weak \
            readonly copy assign retain in out __attribute__ _Nullable _Nonnull instancetype
            """,
        types: """
            bool char char8_t char16_t char32_t double float id int long short signed unsigned void wchar_t size_t \
            ssize_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t \
            BOOL NSString NSInteger NSUInteger CGFloat FILE string vector map
            """,
        lineComments: slashes, blockComments: cComments,
        strings: [
            Pair("R\"(", ")\"", escapes: false, spansLines: true), Pair("@\"", "\""), quoted,
        ])

    static let java = SyntaxLanguage(
        "java", traits: [.capitalTypes, .characters, .attributes],
        keywords: """
            abstract assert break case catch class const continue default do else enum extends false final finally \
            for goto if implements import instanceof interface native new non-sealed null package permits private \
            protected public record return sealed static strictfp super switch synchronized this throw throws \
            transient true try var volatile when while yield
            """,
        types: "boolean byte char double float int long short void", lineComments: slashes,
        blockComments: cComments, strings: [longQuoted, quoted])

    static let kotlin = SyntaxLanguage(
        "kotlin", traits: [.capitalTypes, .characters, .attributes],
        keywords: """
            abstract actual annotation as break by catch class companion const constructor continue crossinline data \
            do dynamic else enum expect external false final finally for fun get if import in infix init inline \
            inner interface internal is it lateinit noinline null object open operator out override package private \
            protected public reified return sealed set super suspend tailrec this throw true try typealias typeof \
            val value var vararg when where while
            """,
        lineComments: slashes, blockComments: nestedComments,
        strings: [Pair("\"\"\"", "\"\"\"", escapes: false, spansLines: true), quoted],
        interpolations: [Pair("${", "}")])

    static let groovy = SyntaxLanguage(
        "groovy", traits: [.capitalTypes, .attributes],
        keywords: """
            abstract as assert break case catch class const continue def default do else enum extends false final \
            finally for if implements import in instanceof interface native new null package private protected \
            public return static super switch synchronized this throw throws trait transient true try var void while
            """,
        types: "boolean byte char double float int long short", lineComments: slashes,
        blockComments: cComments,
        strings: [longQuoted, Pair("'''", "'''", spansLines: true), quoted, singleQuoted],
        interpolations: [Pair("${", "}")])

    static let cSharp = SyntaxLanguage(
        "csharp", traits: [.capitalTypes, .capitalCalls, .characters, .directives],
        keywords: """
            abstract add and as async await base break case catch checked class const continue default delegate do \
            else enum event explicit extern false file finally fixed for foreach from get global goto if implicit in \
            init interface internal into is join let lock nameof namespace new not null operator or orderby out \
            override params partial private protected public readonly record ref remove required return sealed \
            select set sizeof stackalloc static struct switch this throw true try typeof unchecked unsafe using \
            value var virtual volatile when where while with yield
            """,
        types: """
            bool byte char decimal double dynamic float int long nint nuint object sbyte short string uint ulong \
            ushort void
            """,
        lineComments: slashes, blockComments: cComments,
        strings: [
            longQuoted, Pair("@\"", "\"", escapes: false, spansLines: true),
            Pair("$@\"", "\"", escapes: false, spansLines: true), Pair("$\"", "\""), quoted,
        ])

    static let go = SyntaxLanguage(
        "go", traits: [.capitalCalls, .characters],
        keywords: """
            break case chan const continue default defer else fallthrough false for func go goto if import interface \
            iota map nil package range return select struct switch true type var
            """,
        types: """
            any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune \
            string uint uint8 uint16 uint32 uint64 uintptr
            """,
        lineComments: slashes, blockComments: cComments,
        strings: [quoted, Pair("`", "`", escapes: false, spansLines: true)])

    static let rust = SyntaxLanguage(
        "rust", traits: [.capitalTypes, .characters, .bracketAttributes],
        keywords: """
            as async await break const continue crate dyn else enum extern false fn for if impl in let loop match \
            mod move mut pub ref return self static struct super trait true type union unsafe use where while yield
            """,
        types: """
            bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self
            """,
        lineComments: slashes, blockComments: nestedComments,
        strings: [
            Pair("r##\"", "\"##", escapes: false, spansLines: true),
            Pair("r#\"", "\"#", escapes: false, spansLines: true),
            Pair("r\"", "\"", escapes: false, spansLines: true), Pair("\"", "\"", spansLines: true),
        ])

    private static let scriptWords = """
        as async await break case catch class const continue debugger default delete do else export extends false \
        finally for from function get if import in instanceof let new null of return set static super switch this \
        throw true try typeof undefined var void while with yield
        """
    private static let scriptStrings = [
        quoted, singleQuoted, Pair("`", "`", spansLines: true),
    ]

    static let javaScript = SyntaxLanguage(
        "javascript", traits: [.capitalTypes, .attributes, .expressions, .tags], keywords: scriptWords,
        lineComments: slashes, blockComments: cComments, strings: scriptStrings,
        interpolations: [Pair("${", "}")], nameSigns: "_$")

    static let typeScript = SyntaxLanguage(
        "typescript", traits: [.capitalTypes, .attributes, .expressions, .tags],
        keywords: scriptWords + """
             abstract accessor asserts declare enum implements infer interface is keyof module namespace override \
            private protected public readonly satisfies type unique
            """,
        types: "any bigint boolean never number object string symbol unknown", lineComments: slashes,
        blockComments: cComments, strings: scriptStrings, interpolations: [Pair("${", "}")], nameSigns: "_$")

    static let python = SyntaxLanguage(
        "python", traits: [.capitalTypes, .attributes],
        keywords: """
            and as assert async await break case class continue def del elif else except False finally for from \
            global if import in is lambda match None nonlocal not or pass raise return self True try type while with \
            yield
            """,
        types: "bool bytearray bytes complex dict float frozenset int list object set str tuple",
        lineComments: ["#"],
        strings: [longQuoted, Pair("'''", "'''", spansLines: true), quoted, singleQuoted])

    static let ruby = SyntaxLanguage(
        "ruby", traits: [.capitalTypes, .attributes, .expressions, .heredocs],
        keywords: """
            alias and attr_accessor attr_reader attr_writer begin break case class def do else elsif end \
            ensure extend false for if in include module next nil not or private protected public raise redo require \
            require_relative rescue retry return self super then true undef unless until when while yield
            """,
        lineComments: ["#"], strings: [quoted, singleQuoted, Pair("`", "`")],
        interpolations: [Pair("#{", "}")])

    static let php = SyntaxLanguage(
        "php", traits: [.capitalTypes, .bracketAttributes, .heredocs, .foldsCase],
        keywords: """
            abstract and array as break callable case catch class clone const continue declare default die do echo \
            else elseif empty enum exit extends false final finally fn for foreach function global goto if \
            implements include include_once instanceof insteadof interface isset list match namespace new null or \
            print private protected public readonly require require_once return self static switch this throw trait \
            true try unset use var while xor yield
            """,
        types: "bool float int iterable mixed never object string void", lineComments: ["//", "#"],
        blockComments: cComments,
        strings: [Pair("\"", "\"", spansLines: true), Pair("'", "'", spansLines: true)], nameSigns: "_$")

    static let shell = SyntaxLanguage(
        "shell", traits: [.variables, .heredocs, .spacedComments],
        keywords: """
            break case continue do done elif else esac eval exec exit export fi for function if in local readonly \
            return select set shift source then trap unset until while alias declare echo cd test printf read
            """,
        lineComments: ["#"],
        strings: [
            Pair("\"", "\"", spansLines: true), Pair("'", "'", escapes: false, spansLines: true),
            Pair("`", "`"),
        ],
        interpolations: [Pair("$(", ")"), Pair("${", "}")], nameSigns: "_-")

    static let sql = SyntaxLanguage(
        "sql", traits: .foldsCase,
        keywords: """
            add all alter analyze and any as asc begin between by cascade case check collate column commit conflict \
            constraint create cross current_date current_timestamp database default delete desc distinct do drop \
            else end escape except exists explain false filter first for foreign from full function glob grant group \
            having if ignore in index inner insert instead intersect into is isnull join key last lateral left like \
            limit materialized natural not nothing notnull null nulls of offset on or order outer over partition \
            primary procedure recursive references rename replace restrict returning revoke right rollback rowid \
            savepoint schema select set strict table temp temporary then to transaction trigger true truncate union \
            unique update using vacuum values view virtual when where window with without
            """,
        types: """
            bigint bigserial blob boolean bytea char character date datetime decimal double float int integer \
            interval json jsonb money numeric real serial smallint text time timestamp timestamptz tinyint uuid \
            varchar
            """,
        lineComments: ["--"], blockComments: cComments,
        strings: [Pair("'", "'", escapes: false, spansLines: true), Pair("\"", "\"", escapes: false)])

    static let markup = SyntaxLanguage(
        "html", .markup, blockComments: [Pair("<!--", "-->")],
        strings: [Pair("<![CDATA[", "]]>", escapes: false, spansLines: true)], nameSigns: "_-:.")

    static let style = SyntaxLanguage(
        "css", .style, traits: .spacedComments, lineComments: slashes, blockComments: cComments,
        strings: [quoted, singleQuoted],
        nameSigns: "_-")

    static let json = SyntaxLanguage(
        "json", traits: .stringKeys, keywords: "true false null", lineComments: slashes,
        blockComments: cComments, strings: [quoted, singleQuoted])

    static let yaml = SyntaxLanguage(
        "yaml", .yaml, traits: .spacedComments, keywords: "true false null yes no on off True False",
        lineComments: ["#"],
        strings: [quoted, Pair("'", "'", escapes: false)], nameSigns: "_-")

    static let settings = SyntaxLanguage(
        "toml", traits: [.keyLines, .spacedComments], keywords: "true false", lineComments: ["#", ";"],
        strings: [
            longQuoted, Pair("'''", "'''", escapes: false, spansLines: true), quoted,
            Pair("'", "'", escapes: false),
        ], nameSigns: "_-")

    static let markdown = SyntaxLanguage("markdown", .markdown)

    static let docker = SyntaxLanguage(
        "dockerfile", traits: [.firstWords, .foldsCase, .variables, .spacedComments],
        keywords: """
            add arg cmd copy entrypoint env expose from healthcheck label maintainer onbuild run shell stopsignal \
            user volume workdir
            """,
        lineComments: ["#"], strings: [quoted, singleQuoted], interpolations: [Pair("${", "}")])

    static let make = SyntaxLanguage(
        "makefile", traits: [.rules, .variables, .spacedComments],
        keywords: """
            define else endef endif export ifdef ifeq ifndef ifneq include override private unexport vpath
            """,
        lineComments: ["#"], strings: [quoted, singleQuoted],
        interpolations: [Pair("$(", ")"), Pair("${", "}")], nameSigns: "_-")

    static let lua = SyntaxLanguage(
        "lua",
        keywords: """
            and break do else elseif end false for function goto if in local nil not or repeat return self then true \
            until while
            """,
        lineComments: ["--"], blockComments: [Pair("--[[", "]]"), Pair("--[=[", "]=]")],
        strings: [quoted, singleQuoted, Pair("[[", "]]", escapes: false, spansLines: true)])

    static let scala = SyntaxLanguage(
        "scala", traits: [.capitalTypes, .characters, .attributes],
        keywords: """
            abstract as case catch class def derives do else end enum export extends extension false final finally \
            for given if implicit import infix inline lazy match new null object opaque open override package \
            private protected return sealed super then this throw trait transparent true try type using val var \
            while with yield
            """,
        lineComments: slashes, blockComments: nestedComments,
        strings: [Pair("\"\"\"", "\"\"\"", escapes: false, spansLines: true), quoted],
        interpolations: [Pair("${", "}")])

    static let dart = SyntaxLanguage(
        "dart", traits: [.capitalTypes, .attributes],
        keywords: """
            abstract as assert async await base break case catch class const continue covariant default deferred do \
            dynamic else enum export extends extension external factory false final finally for get hide if \
            implements import in interface is late library mixin new null on operator part required rethrow return \
            sealed set show static super switch sync this throw true try typedef var when while with yield
            """,
        types: "bool double int num void", lineComments: slashes, blockComments: nestedComments,
        strings: [longQuoted, Pair("'''", "'''", spansLines: true), quoted, singleQuoted],
        interpolations: [Pair("${", "}")])

    static let protobuf = SyntaxLanguage(
        "protobuf", traits: .capitalTypes,
        keywords: """
            edition enum extend extensions false group import map max message oneof option optional package public \
            repeated required reserved returns rpc service stream syntax to true weak
            """,
        types: """
            bool bytes double fixed32 fixed64 float int32 int64 sfixed32 sfixed64 sint32 sint64 string uint32 uint64
            """,
        lineComments: slashes, blockComments: cComments, strings: [quoted, singleQuoted])

    static let terraform = SyntaxLanguage(
        "terraform",
        keywords: """
            check data dynamic false for if import in locals module moved null output provider resource terraform \
            true variable
            """,
        types: "any bool list map number object set string tuple", lineComments: ["#", "//"],
        blockComments: cComments, strings: [quoted], interpolations: [Pair("${", "}")], nameSigns: "_-")

    static let graphQL = SyntaxLanguage(
        "graphql", traits: [.capitalTypes, .attributes, .variables],
        keywords: """
            directive enum extend false fragment implements input interface mutation null on query repeatable \
            scalar schema subscription true type union
            """,
        types: "Boolean Float ID Int String", lineComments: ["#"], strings: [longQuoted, quoted])
}
