/// A few plain sentences in each language.
enum LanguageSamples {
    static let all: [(language: String, text: String)] = [
        ("en", "The council said on Monday that the bridge would stay closed for three weeks."),
        ("de", "Die Stadt teilte am Montag mit, dass die Brücke für drei Wochen gesperrt bleibt."),
        ("fr", "La ville a annoncé lundi que le pont resterait fermé pendant trois semaines."),
        ("es", "El ayuntamiento anunció el lunes que el puente permanecerá cerrado durante tres semanas."),
        ("it", "Il comune ha annunciato lunedì che il ponte resterà chiuso per tre settimane."),
        ("pt", "A câmara anunciou na segunda-feira que a ponte ficará fechada durante três semanas."),
        ("nl", "De gemeente maakte maandag bekend dat de brug drie weken gesloten blijft voor het verkeer."),
        ("pl", "Miasto poinformowało w poniedziałek, że most będzie zamknięty przez trzy tygodnie."),
        ("sv", "Staden meddelade på måndagen att bron kommer att vara stängd i tre veckor."),
        (
            "da",
            "Kommunen oplyste mandag, at broen vil være lukket i tre uger, men ikke hvorfor det blev sådan."
        ),
        (
            "no",
            "Kommunen opplyste mandag at broen vil være stengt i tre uker, men ikke hvorfor det ble slik."
        ),
        ("fi", "Kaupunki ilmoitti maanantaina, että silta on suljettu kolme viikkoa, mutta ei sitä, miksi."),
        ("cs", "Město v pondělí oznámilo, že most bude po tři týdny uzavřen, ale neřeklo proč."),
        ("ru", "Город сообщил в понедельник, что мост будет закрыт три недели, но не сказал почему."),
        ("uk", "Місто повідомило в понеділок, що міст буде закритий три тижні, але не сказало чому."),
        ("bg", "Градът съобщи в понеделник, че мостът ще бъде затворен три седмици, но не каза защо."),
        ("el", "Ο δήμος ανακοίνωσε τη Δευτέρα ότι η γέφυρα θα μείνει κλειστή για τρεις εβδομάδες."),
        (
            "tr",
            "Belediye pazartesi günü köprünün üç hafta kapalı kalacağını ve bunun için bir neden olduğunu açıkladı."
        ),
        ("hu", "A város hétfőn közölte, hogy a híd három hétig zárva lesz, de azt nem, hogy miért."),
        ("ro", "Primăria a anunțat luni că podul va fi închis timp de trei săptămâni, dar nu a spus de ce."),
        ("ja", "市は月曜日、橋が三週間閉鎖されると発表した。"),
        ("zh", "市政府周一宣布，这座桥将关闭三周。"),
        ("ko", "시는 월요일에 다리가 3주 동안 폐쇄된다고 발표했다."),
        ("ar", "أعلنت المدينة يوم الاثنين أن الجسر سيبقى مغلقا لمدة ثلاثة أسابيع."),
        ("fa", "شهرداری روز دوشنبه اعلام کرد که پل به مدت سه هفته بسته می‌ماند."),
        ("he", "העירייה הודיעה ביום שני שהגשר יישאר סגור במשך שלושה שבועות."),
        ("hi", "नगर ने सोमवार को कहा कि पुल तीन सप्ताह तक बंद रहेगा।"),
        ("th", "เทศบาลประกาศเมื่อวันจันทร์ว่าสะพานจะปิดเป็นเวลาสามสัปดาห์"),
    ]
}
