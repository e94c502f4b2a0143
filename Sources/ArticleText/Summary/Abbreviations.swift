/// Abbreviations that end with a full stop, by language.
struct Abbreviations: Sendable {
    /// The meaning of a full stop after the abbreviation.
    enum Kind {
        /// Something always follows, as after a title, "vol." or "z.B.".
        case inside
        /// A sentence may end with it, as with "etc.", "Inc." or "a.m.".
        case either
        /// An abbreviation before a number, otherwise a word, such as "No." or "Oct.".
        case numbered
    }

    private let kinds: [UInt64: Kind]

    /// - Parameter hash: the hash of the word in lower case, without its last full stop
    func kind(of hash: UInt64) -> Kind? { kinds[hash] }

    static func of(_ language: String?) -> Abbreviations { byLanguage[language ?? "en"] ?? common }

    private static let common = Abbreviations(inside: allLanguages.inside, either: allLanguages.either)
    private static let byLanguage = lists.mapValues {
        Abbreviations(
            inside: allLanguages.inside + " " + $0.inside, either: allLanguages.either + " " + $0.either)
    }

    private init(inside: String, either: String) {
        var kinds: [UInt64: Kind] = [:]
        for hash in WordHash.hashes(of: either) { kinds[hash] = .either }
        for hash in WordHash.hashes(of: inside) { kinds[hash] = .inside }
        for hash in Self.numbered where kinds[hash] != nil { kinds[hash] = .numbered }
        self.kinds = kinds
    }

    private static let numbered = WordHash.hashes(
        of: """
            no nos nr nrs nro n nn nº núm p pp pag pagg pág págs s sec sect § art artt arts fig figs vol vols ch chap cap kap \
            eq jan feb mar mär apr jun jul aug sep sept oct okt ott nov dec dez dic des févr janv juil ene abr ago fev mai \
            set out mag giu lug min max ft est ver op on ed sat sun blz pkt ust č čís r str rd blvd ave dept a u to ok al
            """)

    private static let allLanguages = (
        inside:
            "mr mrs ms dr prof st vs cf fig figs vol vols pp ed eds e.g i.e mme mlle ph.d resp tel approx",
        either: "etc inc ltd co corp jr sr bros llc plc gmbh al ca"
    )

    private static let lists: [String: (inside: String, either: String)] = [
        "en": (
            """
            messrs rev hon gen col lt sgt capt cmdr adm maj cpl pvt gov sen rep pres supt det insp sir mt ft no nos nr p \
            sec ch art eq eqs ref refs viz jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thurs fri \
            atty ave blvd rd dept univ assn assoc est ver min max op gen mgr
            """, "a.m p.m u.s u.k u.n e.u d.c b.c a.d esq ll.d m.d b.a m.a dept ave rd blvd sq"
        ),
        "de": (
            """
            hr fr frl dipl ing nr abb abs art bd bde bzw bspw z.b z.t d.h u.a u.u i.d.r i.a o.ä s.o s.u v.a vgl s ggf evtl \
            inkl exkl zzgl ca max min sog geb gest str tel hrsg jh jhd mio mrd mill od red st sr kap anm aufl ausg lt \
            jan feb mär apr jun jul aug sep sept okt nov dez mo di mi do fr sa so rd ehem allg bes dt engl franz griech lat \
            med nat pol rel stellv tägl urspr verh wiss zit
            """, "usw usf etc u.a.m o.g a.d i.r v.chr n.chr chr e.v z.zt"
        ),
        "fr": (
            """
            m mm mr mme mmes mlle mlles me mgr dr pr st ste art chap fig vol p pp n no nos nº cf ex env av apr hab éd coll \
            janv févr avr juil sept oct nov déc tél bd boul c.-à-d p.ex
            """, "etc j.-c cie s.a"
        ),
        "es": (
            """
            sr sra sres srta d dña dr dra prof ing lic arq gral cnel cap sto sta ud uds vd vds art cap fig núm nº no pág \
            págs tel av avda c p.ej ej aprox máx mín vol ed excmo ilmo ee.uu
            """, "etc s.a s.l a.c d.c p.m a.m ee.uu jr"
        ),
        "it": (
            """
            sig sigg sig.ra dott dott.ssa prof prof.ssa avv ing arch geom on sen s ss mons art artt cap fig pag pagg vol n \
            nn p pp cfr ca c.a es ecc.mo tel v gen feb mar apr mag giu lug ago set sett ott nov dic
            """, "ecc s.p.a s.r.l a.c d.c"
        ),
        "pt": (
            """
            sr sra srs sras dr dra drs prof profa eng exmo exma d art cap fig pág págs n nº núm vol ed tel av r p.ex ex \
            aprox máx mín jan fev mar abr mai jun jul ago set out nov dez
            """, "etc s.a ltda cia a.c d.c"
        ),
        "nl": (
            """
            dhr mevr mw dr drs ir ing mr prof ds jhr jkvr st nr nrs blz p bijv bv d.w.z dwz m.b.t mbt o.a i.v.m t.o.v \
            t.a.v m.u.v i.p.v n.a.v ca evt incl excl resp max min vgl zgn art afb hfst deel jan feb mrt apr jun jul aug sep \
            sept okt nov dec
            """, "enz e.d etc n.v b.v v.chr n.chr a.s l.l jl"
        ),
        "pl": (
            """
            p pan dr prof mgr inż hab doc ks o św płk gen kpt por sierż al ul pl np m.in tzn tzw tj ok ww wg zob por nr str \
            s t ust art pkt godz min sek mln mld tys zł im red wyd rys tab woj pow gm
            """, "itd itp r w n.e p.n.e"
        ),
        "sv": (
            """
            dr prof hr fr s k st nr kl sid bl.a t.ex dvs d.v.s s.k f.d fr.o.m t.o.m m.a.o p.g.a pga ca jfr inkl exkl resp kap \
            fig tel jan feb apr jun jul aug sept okt nov dec
            """, "etc m.m m.fl osv o.s.v f.kr e.kr"
        ),
        "da": (
            """
            dr prof hr fr frk skt nr s bl.a f.eks fx dvs d.v.s ca jf jfr inkl ekskl kap fig tlf kl pga p.g.a mht i.f.m \
            ifm evt hhv pct jan feb apr jun jul aug sept okt nov dec
            """, "etc m.m m.v m.fl osv o.s.v f.kr e.kr mio mia kr"
        ),
        "no": (
            """
            dr prof hr fr frk st nr s bl.a f.eks dvs d.v.s ca jf jfr inkl ekskl kap fig tlf kl pga p.g.a mht evt hhv pst \
            jan feb apr jun jul aug sept okt nov des
            """, "etc m.m m.v m.fl osv o.s.v f.kr e.kr mill mrd kr"
        ),
        "fi": (
            """
            esim ks vrt mm ns n nro no s prof tri dos toht maist kpl puh os ent synt kuol ts t.s ko em klo
            """, "jne yms ym eaa jaa e.kr j.kr eKr oy"
        ),
        "cs": (
            """
            p pí dr mudr judr phdr rndr ing mgr bc prof doc sv č čís str s sv např tzv tj t.j tzn cca resp popř příp mj \
            viz srov obr tab odst kap roč ul nám tel hod min mil mld tis kč gen plk
            """, "atd apod aj s.r.o a.s n.l př.n.l"
        ),
        "ru": (
            """
            г гг г-н г-жа им проф акад доц ул пр пл пер д корп кв стр с рис табл гл ст п пп см ср напр т.е т.н т.к т.ч и.о \
            тел тыс млн млрд руб коп чел о оз р св
            """, "т.д т.п др пр г гг в вв н.э до н.э"
        ),
        "uk": (
            """
            м р рр ім проф акад доц вул просп пл пров буд кв стор с рис табл гл ст п див пор напр т.зв тобто тел тис млн \
            млрд грн коп чол о оз св
            """, "т.д т.п ін р рр ст н.е"
        ),
        "el": ("κ κα δρ καθ π.χ δηλ αρ σελ αι εκ βλ τηλ λεωφ", "κ.λπ κ.ά κ.ο.κ μ.χ π.μ μ.μ"),
        "tr": (
            "dr prof doç yrd av sn bkz örn vb no cad sok mah tel s yy çev haz öğr alb gen",
            "vb vs a.ş ltd şti"
        ),
        "hu": ("dr prof id ifj özv pl ld vö kb ún stb sz u tel old", "stb ui"),
        "ro": ("dr prof ing dl dna nr art alin pag vol str tel cca ex dvs", "etc ș.a a.c"),
    ]
}
