/// Names and descriptions for the simulated repositories, some of them deliberately awkward.
enum RepositoryTexts {
    static func name(_ dice: SeededRandom, _ salt: UInt64, language: String?) -> String {
        let (noun, kind) = (pick(nouns, dice, 1, salt), pick(kinds, dice, 2, salt))
        switch dice.index(3, salt, below: 12) {
        case 0: return "\(noun).\(suffixes[language ?? ""] ?? "md")"
        case 1: return "\(capitalised(noun))\(capitalised(kind))"
        case 2: return "\(suffixes[language ?? ""] ?? "my")-\(noun)"
        case 3: return "awesome-\(noun)"
        case 4: return pick(["dotfiles", "notes", ".github", "blog", "playground"], dice, 4, salt)
        case 5: return "\(noun)_\(kind)"
        case 6: return "\(noun)\(2 + dice.index(5, salt, below: 8))"
        default: return "\(noun)-\(kind)"
        }
    }

    static func description(_ dice: SeededRandom, _ salt: UInt64, language: String?) -> String? {
        if dice.index(10, salt, below: 9) == 0 { return nil }
        if dice.index(11, salt, below: 40) == 0 { return pick(edgeCaseDescriptions, dice, 12, salt) }
        let (adjective, noun) = (pick(adjectives, dice, 13, salt), pick(nouns, dice, 14, salt))
        let (kind, environment) = (pick(kinds, dice, 15, salt), pick(environments, dice, 16, salt))
        switch dice.index(17, salt, below: 5) {
        case 0: return "\(capitalised(adjective)) \(noun) \(kind) for \(environment)."
        case 1: return "A \(adjective) \(kind) for \(noun)s, written in \(language ?? "plain words")"
        case 2: return "\(capitalised(noun))s, but \(adjective)"
        case 3: return "The \(noun) \(kind) that we use on \(environment). Issues and patches welcome!"
        default: return "\(capitalised(kind)) for \(noun)s on \(environment)"
        }
    }

    static func topics(_ dice: SeededRandom, _ salt: UInt64, language: String?) -> [String] {
        let count = [0, 0, 0, 1, 2, 3, 4, 6][dice.index(20, salt, below: 8)]
        guard count > 0 else { return [] }
        var topics = language.map { [topic($0)] } ?? []
        var turn: UInt64 = 21
        while topics.count < count {
            let topic = pick(nouns + kinds, dice, turn, salt)
            if !topics.contains(topic) { topics.append(topic) }
            turn += 1
        }
        return topics
    }

    /// Returns a language in about the proportions of public repositories, or nil for repositories without
    /// code.
    static func language(_ dice: SeededRandom, _ salt: UInt64) -> String? {
        var rest = dice.index(30, salt, below: languages.reduce(0) { $0 + $1.1 })
        for (language, weight) in languages {
            if rest < weight { return language.isEmpty ? nil : language }
            rest -= weight
        }
        return nil
    }

    static func capitalised(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

    private static func topic(_ language: String) -> String {
        language == "C++"
            ? "cpp"
            : language == "C#"
                ? "csharp"
                : language.lowercased().replacing(" ", with: "-")
    }

    static func pick<Item>(_ list: [Item], _ dice: SeededRandom, _ roll: UInt64, _ salt: UInt64) -> Item {
        list[dice.index(roll, salt, below: list.count)]
    }

    private static let languages = [
        ("", 90), ("JavaScript", 150), ("Python", 160), ("Java", 85), ("TypeScript", 95), ("Go", 55),
        ("C++", 50), ("Ruby", 45), ("PHP", 45), ("C", 40), ("C#", 38), ("Shell", 30), ("Rust", 28),
        ("HTML", 40), ("CSS", 18), ("Jupyter Notebook", 22), ("Kotlin", 14), ("Swift", 14), ("Dart", 9),
        ("Vue", 8), ("Objective-C", 8), ("Scala", 7), ("Perl", 6), ("Haskell", 4), ("Elixir", 4),
        ("Lua", 5), ("R", 5), ("Clojure", 3), ("Emacs Lisp", 3), ("Vim Script", 3), ("Assembly", 2),
        ("Zig", 2), ("OCaml", 2), ("Nix", 2), ("TeX", 3), ("Julia", 2), ("Erlang", 1), ("Common Lisp", 1),
        ("Fortran", 1), ("COBOL", 1), ("Brainfuck", 1),
    ]

    private static let suffixes = [
        "JavaScript": "js", "TypeScript": "ts", "Python": "py", "Go": "go", "Ruby": "rb", "Rust": "rs",
        "Swift": "swift", "PHP": "php", "C": "c", "C++": "cpp", "Java": "java", "Shell": "sh", "Lua": "lua",
    ]

    static let adjectives = words(
        """
        tiny fast simple modern portable typed lazy robust minimal friendly readable composable offline
        distributed embedded incremental careful boring experimental streaming declarative lightweight
        """)
    static let nouns = words(
        """
        parser scheduler queue cache router logger tracer linter compiler terminal editor calendar ledger
        chart map tile clock timer tetris chess sudoku robot camera sensor weather recipe budget todo
        markdown json yaml csv http websocket dns mail feed rss podcast music synth font icon colour theme
        keyboard mouse gamepad shader raytracer physics matrix tensor graph tree trie bloom hash cipher
        password token session cookie form table grid layout template snippet dotfile backup sync deploy
        container cluster proxy firewall bridge socket kernel driver emulator simulator bot crawler scraper
        """)
    static let kinds = words(
        """
        kit library tool server client framework engine plugin cli app service viewer generator toolkit
        bindings examples tutorial course benchmark template tests website api sdk daemon extension
        """)
    private static let environments = words(
        """
        humans servers telephones small-teams schools libraries museums laptops microcontrollers the-web
        the-desktop the-command-line slow-networks old-machines observatories harbours orchestras
        """
    ).map { $0.replacing("-", with: " ") }

    private static let edgeCaseDescriptions = [
        "🚀🔥✨ the LAST date picker you will ever need 👩‍👩‍👧‍👦", "一个轻量级的命令行日历，支持农历与节气",
        "小さなパーサコンビネータ。日本語のドキュメントあり。", "مكتبة صغيرة لقراءة التقويم الهجري",
        "ספריה קטנה לניתוח תאריכים עבריים (v2.0)", "<script>alert('description')</script> & <b>bold</b>",
        "{{template}} {{{triple}}} ${expression} %s %d \\u0000 '; DROP TABLE repositories; --",
        "Tabs\tand\nnew lines,   many   blanks", "\u{202E}txet desrever\u{202C} with direction marks",
        "Z̷̢̛a̸̧l̵g̶o̴ text", "   ", ":sparkles: shortcodes that nobody turned into pictures",
        "See https://example.org/?a=1&b=2#c — “quotes”, ‘apostrophes’, 1 < 2 > 0",
        String(repeating: "A very long description that goes on and on. ", count: 8),
        "Averyveryverylongwordwithoutanyplacetobreakitthatwouldpushacardoutofitscolumnifnobodytookcareofit",
    ]

    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
}
