/// The most frequent words of the major languages. They identify the language of a text, are ignored as terms, and
/// indicate a new sentence if they follow a full stop in upper case.
struct StopWords: Sendable {
    /// FNV-1a of each word's scalars in lower case.
    private let hashes: Set<UInt64>

    static func of(_ language: String?) -> StopWords { byLanguage[language ?? "en"] ?? none }

    func contains(_ hash: UInt64) -> Bool { hashes.contains(hash) }

    private static let none = StopWords(hashes: [])
    private static let byLanguage = words.mapValues { StopWords(hashes: Set(WordHash.hashes(of: $0))) }

    /// For each word the languages that have it, as indexes in a fixed order.
    static let languagesByWord: [UInt64: [Int]] = {
        var found: [UInt64: [Int]] = [:]
        for (index, language) in languages.enumerated() {
            for hash in WordHash.hashes(of: words[language] ?? "") where found[hash]?.last != index {
                found[hash, default: []].append(index)
            }
        }
        return found
    }()

    static let languages = words.keys.sorted()

    private static let words = [
        "en": """
        the a an and or but of to in on at by for with from as is are was were be been being it its he she they his her \
        their we you i our your my him them this that these those there here when while where who which what how why if \
        then than so not no nor do does did has have had will would can could may might must shall should about after \
        before into over under between more most some any all each both other such only also very just out up down off \
        again however although because during since until against through s t
        """,
        "de": """
        der die das den dem des ein eine einen einem einer eines und oder aber sondern nicht kein keine ist sind war \
        waren wird werden wurde wurden sei hat haben hatte hatten kann können soll sollen muss müssen ich du er sie es \
        wir ihr ihm ihn ihnen sein seine seiner seinen ihre ihrer ihren man sich mit von vom zu zum zur in im an am auf \
        aus bei nach für durch über unter um vor bis seit gegen ohne auch noch nur schon sehr mehr als wie wenn dann \
        denn dass weil da dort hier so diese dieser dieses diesen diesem was wer wo welche doch jedoch danach dabei \
        damit außerdem nun alle zwischen während
        """,
        "fr": """
        le la les l un une des du de d et ou mais donc ni car ne pas plus est sont était étaient être été a ont avait \
        avoir sera je j tu il elle on nous vous ils elles se s lui leur leurs son sa ses mon ma mes notre votre ce cet \
        cette ces c qui que qu quoi dont où dans en sur sous par pour avec sans chez vers entre depuis pendant comme si \
        quand aussi très bien tout tous toute toutes même y au aux après avant selon cela ainsi alors puis
        """,
        "es": """
        el la los las un una unos unas de del al a y e o u pero ni que no es son era eran ser fue fueron ha han había \
        haber está están estaba yo tú él ella ello nosotros ellos ellas se su sus le les lo me mi te nos este esta \
        estos estas ese esa eso esto aquel en con por para sin sobre entre desde hasta hacia según como cuando donde \
        quien cual más muy también ya si sí porque durante contra todo todos toda todas otro otra
        """,
        "it": """
        il lo la i gli le l un uno una di del dello della dei degli delle d a al allo alla ai agli alle da dal dalla \
        dalle in nel nella nei nelle su sul sulla con per tra fra e ed o ma non che chi cui è sono era erano essere \
        stato stata ha hanno aveva avere si se io tu lui lei noi voi loro suo sua suoi sue mio questo questa questi \
        queste quello quella come quando dove perché anche più molto già dopo prima ancora poi c
        """,
        "pt": """
        o a os as um uma uns umas de do da dos das em no na nos nas ao aos à às por pelo pela pelos pelas para com sem \
        sob sobre entre até desde e ou mas nem que não é são era eram ser foi foram tem têm tinha ter está estão eu tu \
        ele ela nós eles elas você vocês se seu sua seus suas lhe me este esta estes estas esse essa isso isto aquele \
        como quando onde quem qual mais muito também já porque segundo durante depois ainda
        """,
        "nl": """
        de het een en of maar dat die dit deze van in op te ten ter aan bij met voor door uit over onder naar tot om \
        tegen tussen na zonder is zijn was waren werd werden wordt worden heeft hebben had hadden zal zou zullen kan \
        kunnen moet moeten ik jij je u hij zij ze wij we jullie hun haar hem zich niet geen ook nog al wel meer zeer \
        als dan toen wanneer waar wie wat welke hoe er hier daar omdat echter volgens
        """,
        "pl": """
        i a o w we z ze na do od po za u przez przy dla bez pod nad przed między oraz lub ale nie tak że to ten ta te \
        tego tej tym tych jest są był była było byli być będzie ma mają się go jej ich jego jak gdy kiedy gdzie który \
        która które którzy których co kto czy już tylko także też jeszcze bardzo więcej może można ja ty on ona ono my \
        wy oni po jednak
        """,
        "sv": """
        och att det den de en ett i på av för med till från om som är var varit vara blev bli har hade ha kan kunde ska \
        skulle vill inte men eller så när där här hur vad vem vilken jag du han hon vi ni dem sig sin sitt sina hans \
        hennes deras man efter vid under över mellan mot utan också bara mycket mer än nu detta denna dessa även enligt
        """,
        "da": """
        og at det den de en et i på af for med til fra om som er var været være blev bliver har havde have kan kunne \
        skal skulle vil ikke men eller så når der her hvor hvad hvem jeg du han hun vi i dem sig sin sit sine hans \
        hendes deres man efter ved under over mellem mod uden også kun meget mere end nu dette denne disse siger ifølge \
        blive nogle
        """,
        "no": """
        og at det den de en et ei i på av for med til fra om som er var vært være ble blir har hadde ha kan kunne skal \
        skulle vil ikke men eller så når der her hvor hva hvem jeg du han hun vi dere dem seg sin sitt sine hans hennes \
        deres man etter ved under over mellom mot uten også bare mye mer enn nå dette denne disse sier ifølge bli noen
        """,
        "fi": """
        ja on ei että se oli ovat olivat hän he ne tämä joka jotka mutta tai kun kuin niin myös mukaan jo vain vielä \
        olla ollut ole eivät sen sitä hänen heidän minä sinä me te jos koska mitä mikä kuka missä siellä täällä ennen \
        jälkeen kanssa sekä voi noin nyt sitten kuitenkin enemmän hyvin
        """,
        "cs": """
        a i o u v ve na do od po za z ze s se si k ke pro při bez pod nad před mezi nebo ale ne že to ten ta ty toho \
        této tom je jsou byl byla bylo byli být bude má mají ho její jich jeho jak když kde který která které kteří co \
        kdo už jen také ještě velmi více může já on ona my oni podle však aby proto
        """,
        "ru": """
        и в во не на я он она оно они мы вы с со к ко у о об от до из за по под над при для без через между что чтобы \
        это этот эта эти того той как так но а или же бы ли если когда где кто который которая которые которых был была \
        было были быть есть его её ее их ему ей им уже только также еще ещё очень более может все всё после во однако
        """,
        "uk": """
        і й та в у не на я він вона воно вони ми ви з із зі до від о об за по під над при для без через між що щоб це \
        цей ця ці того тієї як так але а або же би чи якщо коли де хто який яка які яких був була було були бути є його \
        її їх йому їй їм уже вже тільки також ще дуже більше може все після однак
        """,
        "bg": """
        и в във не на аз той тя то те ние вие с със към у за от до из по под над при без през между че да това този \
        тази тези като така но а или ли ако когато къде кой който която които беше бяха бъде е са се си го ги му им \
        вече само също още много повече може след ще
        """,
        "el": """
        ο η το οι τα του της των τον την τους τις ένα ένας μια και ή αλλά δεν μη να θα που πως πώς ότι σε στο στη στην \
        στον στα στις στους με από για προς χωρίς μετά πριν κατά είναι ήταν έχει έχουν είχε αυτό αυτός αυτή αυτά εγώ \
        εσύ εμείς όπως όταν όπου ποιος τι πιο πολύ επίσης ακόμα ως αν
        """,
        "tr": """
        ve bir bu şu o da de ile için gibi ama fakat veya ya ki mi mı mu mü ne değil var yok olan olarak oldu olduğu \
        olduğunu daha en çok kadar sonra önce her hiç ben sen biz siz onlar onun bunu buna göre ise eğer çünkü ancak \
        üzere tarafından
        """,
        "hu": """
        a az és vagy de hogy nem is egy ez azt ezt van volt voltak lesz lett meg már még csak mint ha mert aki ami \
        amely amelyek ahol mikor én te ő mi ti ők el ki be fel le után előtt alatt szerint között nagyon több pedig \
        azonban
        """,
        "ro": """
        și si în in de la cu pe din pentru prin despre fără sub după până o un una unui unei ale al ai a este sunt era \
        erau fi fost are au avea nu că să se ca care ce cine cum când unde dar sau mai foarte acest această aceste \
        acestea el ea ei ele lui lor îi îl
        """,
    ]
}

/// Hashes of words: equal for equal scalars, and the same in each run.
enum WordHash {
    static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

    static func adding(_ value: UInt32, to hash: UInt64) -> UInt64 {
        (hash ^ UInt64(value)) &* 0x100_0000_01b3
    }

    static func hash(of word: some StringProtocol) -> UInt64 {
        word.unicodeScalars.reduce(seed) { adding($1.value, to: $0) }
    }

    static func hashes(of words: String) -> [UInt64] { words.split(whereSeparator: \.isWhitespace).map(hash) }
}
