import ArticleText
import Foundation
import TextFormats

/// Detects a fetched page that is not the article any more: a "not found" page, a check for robots or a sign-in page,
/// which many sites send with status 200.
enum SuspiciousText {
    typealias Reason = ArticleItem.NewText.Reason

    /// From this share of the old text on, the new text is a version of it.
    private static let versionShare = 0.5
    /// Below this share, the new text is unrelated.
    private static let otherShare = 0.1
    /// A longer page is not a wall.
    private static let maximumWallWords = 150
    /// In a longer page a phrase does not reveal what the page is.
    private static let maximumTextWords = 60
    private static let maximumTitleWords = 10

    /// Returns nil if the new text may replace the old one.
    static func reason(against new: ArticleVersion, replacing old: ArticleVersion) -> Reason? {
        // Any text is better than a wall.
        if isWall(old) { return nil }
        let share = TextOverlap.share(of: old.text, in: new.text)
        if share < versionShare {
            if let wall = wall(title: new.title, text: new.text, words: new.words) { return wall }
            if let title = new.title, let wall = wall(title: title),
                wall != old.title.flatMap(Self.wall(title:))
            {
                return wall
            }
        }
        if new.isPartial == true, old.isPartial != true, new.words < old.words { return .signIn }
        if 3 * new.words < old.words { return .shorter }
        if share < versionShare, let title = new.title, let former = old.title, !haveCommonWord(title, former)
        {
            return .otherTitle
        }
        return share < otherShare ? .otherText : nil
    }

    /// The text only counts if the title is the user's, because a short article may mention such pages.
    private static func isWall(_ old: ArticleVersion) -> Bool {
        wall(title: old.title, text: old.title == nil ? old.text : "", words: old.words) != nil
    }

    /// Detects a page shown instead of an article, by its title or, if it is very short, by its text.
    static func wall(title: String?, text: String, words: Int) -> Reason? {
        guard words <= maximumWallWords else { return nil }
        if let found = title.flatMap(wall(title:)) { return found }
        guard words <= maximumTextWords else { return nil }
        return first(in: Self.words(text)) { $0.containsBytes(" ") || $0.utf8.first ?? 0 >= 0x80 }
    }

    private static func wall(title: String) -> Reason? {
        let words = Self.words(title)
        // A long title is a headline about such pages.
        guard words.utf8.count(where: { $0 == 0x20 }) <= maximumTitleWords + 1 else { return nil }
        return first(in: words) { _ in true }
    }

    private static func first(in words: String, _ counts: (String) -> Bool) -> Reason? {
        phrases.first { _, phrases in
            phrases.contains { counts($0.phrase) && words.containsBytes($0.sought) }
        }?.0
    }

    private static func haveCommonWord(_ one: String, _ other: String) -> Bool {
        func words(_ text: String) -> Set<Substring> {
            Set(Self.words(text).splitBytes(at: " ").filter { $0.utf8.count > 3 })
        }
        let (one, other) = (words(one), words(other))
        return one.isEmpty || other.isEmpty || !one.isDisjoint(with: other)
    }

    /// Folded words, each with a space on both sides.
    private static func words(_ text: String) -> String {
        let folded = FoldedText(lines: [String(text.unicodeScalars.prefix(4_000))], ignoresAccents: true).text
        let words = folded.unicodeScalars.split {
            !$0.properties.isAlphabetic && $0.properties.numericType == nil
        }
        return " " + words.map { String(Substring($0)) }.joined(separator: " ") + " "
    }

    private struct Phrase {
        let phrase: String
        /// With the spaces, to match whole words; without them for languages written without spaces.
        let sought: String

        init(_ text: String) {
            let folded = SuspiciousText.words(text)
            phrase = folded.trimmed
            let isUnspaced = text.unicodeScalars.contains { (0x3040...0xD7AF).contains($0.value) }
            sought = isUnspaced ? phrase : folded
        }
    }

    private static let phrases: [(Reason, [Phrase])] = [
        (.notFound, notFound.map(Phrase.init)), (.check, check.map(Phrase.init)),
        (.signIn, signIn.map(Phrase.init)),
    ]

    private static let notFound = [
        "404", "410 gone", "not found", "page not found", "could not be found", "page does not exist",
        "page doesn't exist", "page no longer exists", "page unavailable", "page isn't available",
        "no longer available", "nicht gefunden", "nicht mehr verfügbar", "Seite existiert nicht",
        "introuvable", "page non trouvée", "n'existe pas", "n'existe plus", "no encontrada", "no encontrado",
        "página no existe", "non trovata", "non esiste", "não encontrada", "não existe", "niet gevonden",
        "bestaat niet", "nie znaleziono", "nie istnieje", "hittades inte", "ikke fundet", "ikke funnet",
        "ei löytynyt", "nenalezena", "nebyla nalezena", "nem található", "bulunamadı", "не найдена",
        "не найдено", "не существует", "не знайдено", "δεν βρέθηκε", "見つかりません", "找不到", "不存在",
        "未找到", "찾을 수 없습니다",
    ]
    private static let check = [
        "just a moment", "one more step", "attention required", "access denied",
        "access to this page has been denied",
        "verify you are human", "verifying you are human", "verify that you are human", "are you a robot",
        "are you human", "not a robot", "robot check", "human verification", "checking your browser",
        "checking if the site connection is secure", "security check", "security verification", "captcha",
        "ddos protection", "enable javascript", "javascript is disabled", "javascript is not available",
        "enable cookies", "cookies are disabled", "pardon our interruption", "unusual traffic",
        "request blocked",
        "you have been blocked", "too many requests", "403 forbidden", "service unavailable",
        "temporarily unavailable", "under maintenance", "Zugriff verweigert", "Einen Moment bitte",
        "Sicherheitsüberprüfung", "kein Roboter", "JavaScript aktivieren", "aktivieren Sie JavaScript",
        "Wartungsarbeiten", "accès refusé", "un instant", "vérification de sécurité", "activer JavaScript",
        "activez JavaScript", "acceso denegado", "un momento", "verifica que eres humano",
        "habilita JavaScript",
        "accesso negato", "abilita JavaScript", "acesso negado", "ative o JavaScript", "toegang geweigerd",
        "odmowa dostępu", "brak dostępu", "åtkomst nekad", "adgang nægtet", "přístup odepřen",
        "erişim engellendi",
        "доступ запрещен", "проверка браузера", "включите JavaScript", "доступ заборонено",
        "アクセスが拒否", "しばらくお待ちください", "访问被拒绝", "请稍候", "安全验证", "启用 JavaScript",
        "접근이 거부", "잠시만 기다리",
    ]
    private static let signIn = [
        "sign in", "log in", "login", "sign up", "create an account", "subscribe to continue",
        "subscribe to read",
        "members only", "session expired", "anmelden", "Anmeldung", "einloggen", "se connecter",
        "connectez-vous",
        "identifiez-vous", "connexion", "iniciar sesión", "inicia sesión", "accedi", "effettua il login",
        "iniciar sessão", "fazer login", "inloggen", "aanmelden", "zaloguj się", "logowanie", "logga in",
        "log ind",
        "logg inn", "kirjaudu", "přihlášení", "přihlásit se", "bejelentkezés", "giriş yap", "войти",
        "авторизация",
        "увійти", "σύνδεση", "ログイン", "登录", "登入", "로그인",
    ]
}

enum TextOverlap {
    /// In letters, about three words.
    private static let length = 16
    /// Only the beginning of longer texts is compared.
    private static let maximumBytes = 200_000

    /// Returns the share of the old text's runs of letters that occur anywhere in the new one, from 0 to 1.
    static func share(of old: String, in new: String) -> Double {
        let (old, new) = (runs(old), runs(new))
        guard !old.isEmpty else { return 1 }
        return Double(old.count { new.contains($0) }) / Double(old.count)
    }

    /// Hashes all runs, ignoring spaces and punctuation.
    private static func runs(_ text: String) -> Set<UInt64> {
        let letters = text.utf8.prefix(maximumBytes).filter(PageText.isWord).map(PageText.lower)
        guard letters.count > length else { return letters.isEmpty ? [] : [PageHash.of(letters)] }
        var runs: Set<UInt64> = []
        for start in 0...(letters.count - length) {
            let hash = PageHash.of(letters[start..<(start + length)])
            // In long texts a quarter of the runs is a sufficient sample.
            if letters.count < 4_096 || hash % 4 == 0 { runs.insert(hash) }
        }
        return runs
    }
}
