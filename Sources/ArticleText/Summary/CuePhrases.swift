/// Phrases that indicate the role of a sentence, in several languages. Chinese and Japanese are listed character by
/// character.
struct CuePhrases: OptionSet, Sendable {
    let rawValue: UInt16

    /// In papers: explicit contributions, weaker ones, results, and novelty.
    static let proposing = CuePhrases(rawValue: 1)
    static let announcing = CuePhrases(rawValue: 2)
    static let finding = CuePhrases(rawValue: 4)
    static let newness = CuePhrases(rawValue: 8)
    /// Circumstances, evidence and offers, which a summary omits.
    static let aside = CuePhrases(rawValue: 16)
    /// First words that refer to the previous sentence.
    static let pronoun = CuePhrases(rawValue: 32)
    static let connector = CuePhrases(rawValue: 64)
    /// Requests to the reader, and notes on publication.
    static let invitation = CuePhrases(rawValue: 128)
    static let credit = CuePhrases(rawValue: 256)
    /// The label of a line, before a colon.
    static let label = CuePhrases(rawValue: 512)
    /// The beginning of a longer phrase.
    private static let unfinished = CuePhrases(rawValue: 1_024)

    static func found(in words: [UInt64]) -> (anywhere: CuePhrases, first: CuePhrases) {
        let table = table
        var (anywhere, first) = (CuePhrases(), CuePhrases())
        for start in words.indices {
            var (index, hash, matched) = (start, WordHash.seed, CuePhrases())
            while index < words.count {
                hash = combined(hash, words[index])
                guard let found = table[hash] else { break }
                matched.formUnion(found)
                guard found.contains(.unfinished) else { break }
                index += 1
            }
            if start == 0 { first = matched }
            anywhere.formUnion(matched)
        }
        return (anywhere, first)
    }

    private static func combined(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        (hash.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15).high ^ word) &* 0x100_0000_01b3
    }

    private static let table: [UInt64: CuePhrases] = {
        var table: [UInt64: CuePhrases] = [:]
        for (kind, phrases) in lists {
            for phrase in phrases.split(separator: ",") {
                let words = WordHash.hashes(of: String(phrase))
                var hash = WordHash.seed
                for (index, word) in words.enumerated() {
                    hash = combined(hash, word)
                    table[hash, default: []].formUnion(index + 1 == words.count ? kind : .unfinished)
                }
            }
        }
        return table
    }()

    private static let lists: [(CuePhrases, String)] = [
        (
            .proposing,
            """
            we propose,we present,this paper,in this paper,this article,we therefore propose,propose a,presents a,here we,\
            wir stellen,wir schlagen,wir präsentieren,in dieser arbeit,diese arbeit,dieser artikel,dieser beitrag,\
            nous proposons,nous présentons,cet article,ce travail,dans cet article,proponemos,presentamos,este artículo,\
            en este trabajo,este trabajo,en este artículo,se propone,se presenta,proponiamo,presentiamo,questo articolo,\
            questo lavoro,in questo lavoro,propomos,apresentamos,este artigo,este trabalho,neste trabalho,neste artigo,\
            we stellen,wij stellen,dit artikel,in dit artikel,proponujemy,przedstawiamy,w artykule,w niniejszej pracy,\
            vi föreslår,vi presenterar,denna artikel,vi foreslår,denne artikel,denne artikkelen,navrhujeme,tento článek,\
            v tomto článku,мы предлагаем,в статье,в данной статье,в данной работе,в этой работе,ми пропонуємо,у статті,\
            本 文,提 出 了,我 们 提 出,本 論 文,本 研 究,提 案 す る,本 稿
            """
        ),
        (
            .announcing,
            """
            this work,in this work,this study,in this study,we introduce,we develop,we describe,we explore,we investigate,\
            we study,we examine,we analyze,we analyse,we design,we derive,we provide,we formulate,we train,we consider,\
            we address,we use,we apply,introduces,explores,wir entwickeln,wir untersuchen,wir beschreiben,diese studie,\
            nous introduisons,nous étudions,nous décrivons,cette étude,introducimos,estudiamos,describimos,este estudio,\
            introduciamo,studiamo,descriviamo,questo studio,introduzimos,estudamos,este estudo,we onderzoeken,dit onderzoek,\
            deze studie,badamy,vi undersöker,vi undersøger,vi undersøker,denna studie,мы исследуем,исследование
            """
        ),
        (
            .finding,
            """
            we show,we find,we found,we demonstrate,we prove,we conclude,results show,results suggest,results indicate,\
            results demonstrate,our results,our findings,these findings,these results,in conclusion,in summary,in short,\
            wir zeigen,die ergebnisse,unsere ergebnisse,zusammenfassend,nous montrons,les résultats,en résumé,en conclusion,\
            mostramos,los resultados,en resumen,en conclusión,mostriamo,i risultati,in sintesi,os resultados,em resumo,\
            we laten,de resultaten,kortom,wyniki,podsumowując,vi visar,resultaten,vi viser,resultaterne,resultatene,\
            мы показываем,результаты,таким образом,结 果 表 明,結 果
            """
        ),
        (
            .newness,
            """
            a novel,novel,a new,new,the first,neu,neue,neuen,neues,nouveau,nouvelle,nuevo,nueva,nuovo,nuova,novo,nova,nieuwe,\
            nowy,nowa,ny,nya,nye,новый,новая,новые
            """
        ),
        (
            .aside,
            """
            experiments,experimental,extensive experiments,empirically,code is,the code,our code,source code,datasets,many,\
            real world,due to,for example,for instance,such as,has been,have been,number of,it is,outperforms,also,limited,\
            zum beispiel,beispielsweise,par exemple,por ejemplo,ad esempio,por exemplo,bijvoorbeeld,na przykład,\
            till exempel,for eksempel,esimerkiksi,například,например,наприклад
            """
        ),
        (
            .pronoun,
            """
            he,she,they,it,this,that,these,those,his,her,their,its,him,them,er,sie,es,dies,diese,dieser,dieses,das,ihr,ihre,\
            il,elle,ils,elles,cela,ce,ces,cette,él,ella,ellos,ellas,esto,eso,este,esta,su,sus,lui,lei,loro,questo,questa,\
            ciò,ele,ela,eles,elas,isso,isto,hij,zij,ze,dit,dat,deze,on,ona,oni,to,ten,ta,han,hon,hun,de,det,den,hän,he,se,\
            он,она,они,это,этот,він,вона,вони,це
            """
        ),
        (
            .connector,
            """
            and,but,however,so,then,also,or,yet,still,meanwhile,moreover,furthermore,in addition,nevertheless,therefore,thus,\
            although,though,despite,instead,unfortunately,for example,for instance,und,aber,doch,jedoch,dann,auch,außerdem,\
            zudem,dennoch,deshalb,et,mais,cependant,toutefois,ainsi,puis,alors,pourtant,y,pero,sin embargo,además,entonces,\
            e,ma,tuttavia,inoltre,però,quindi,mas,no entanto,porém,além disso,en,maar,echter,toch,ook,bovendien,i,a,ale,\
            jednak,jednakże,ponadto,och,men,dock,dessutom,og,dog,også,imidlertid,ja,mutta,kuitenkin,avšak,však,но,однако,\
            и,а,также,кроме того,але,однак,та,但 是,然 而,而 且,し か し,そ し て,ま た
            """
        ),
        (
            .invitation,
            """
            scroll down,read more,read also,read next,read our,see also,click here,click to,visit site,share this,follow us,\
            follow @,sign up,subscribe to,subscribe now,advertisement,all rights reserved,posted on,posted by,published on,\
            last updated,last modified,filed under,continue reading,we use cookies,this site uses,this article was,\
            originally published,copyright,more on this,watch the video,watch now,join the conversation,skip to,jump to,\
            lesen sie,mehr zum thema,lesen sie auch,hier klicken,abonnieren sie,newsletter,veröffentlicht am,lire aussi,\
            à lire,lire la suite,voir aussi,cliquez ici,abonnez vous,inscrivez vous,publié le,mis à jour,leer más,\
            lea también,lee también,haz clic,haga clic,suscríbete,leggi anche,leggi tutto,clicca qui,iscriviti,leia também,\
            leia mais,clique aqui,assine,lees ook,lees meer,klik hier,czytaj też,czytaj także,czytaj więcej,zobacz też,\
            zobacz także,kliknij,läs också,läs mer,läs även,klicka här,læs også,læs mere,les også,les mer,klik her,klikk her,\
            lue myös,lue lisää,čtěte také,přečtěte si,klikněte,читайте также,читать далее,подпишитесь,подписывайтесь,\
            читайте також,підписуйтесь,关 注,点 击,阅 读 更 多,続 き を 読 む,こ ち ら も
            """
        ),
        (
            .credit,
            """
            getty images,shutterstock,file photo,photo by,photo credit,photograph by,image credit,image courtesy,courtesy of,\
            picture alliance,foto von,photo de,foto de,foto di,imago images
            """
        ),
        (
            .label,
            """
            photo,photos,photograph,image,images,picture,pictured,pictures,video,watch,credit,credits,source,sources,related,\
            published,updated,posted,tags,topics,category,author,by,contact,correction,foto,fotos,bild,bilder,quelle,anzeige,\
            autor,stand,crédit,crédits,imagen,fuente,crédito,immagine,fonte,imagem,beeld,bron,zdjęcie,fot,źródło,reklama,\
            bilden,källa,annons,kilde,kuva,lähde,zdroj,фото,источник,джерело,reading time,lesezeit,图 片,来 源,写 真,出 典
            """
        ),
    ]
}
