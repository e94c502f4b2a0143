package import RoostSupport

extension Migration {
    /// Stores the pictures of articles in the database, once for all articles that show them. Deleting the last such
    /// article deletes the picture.
    ///
    /// `article_pictures_due` has the articles whose text is new, so that no code that writes texts has to know about
    /// pictures. Articles from before the migration are not listed: their pictures would be thousands of requests.
    package static let readingPictures = Migration(
        "reading: pictures",
        sql: """
            CREATE TABLE stored_pictures (
                name TEXT PRIMARY KEY CHECK (length(name) = 64),
                media_type TEXT NOT NULL CHECK (media_type LIKE 'image/%'),
                fetched_at REAL NOT NULL,
                byte_count INTEGER NOT NULL CHECK (byte_count > 0),
                bytes BLOB NOT NULL CHECK (length(bytes) = byte_count)
            ) STRICT;
            CREATE TABLE article_pictures (
                article_id INTEGER NOT NULL REFERENCES articles (id) ON DELETE CASCADE,
                name TEXT NOT NULL CHECK (length(name) = 64),
                place INTEGER NOT NULL CHECK (place >= 0),
                state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'stored', 'failed', 'tooLarge')),
                attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                next_try_at REAL NOT NULL DEFAULT 0,
                url TEXT NOT NULL,
                PRIMARY KEY (article_id, name)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX article_pictures_by_name ON article_pictures (name);
            CREATE INDEX article_pictures_waiting ON article_pictures (next_try_at, article_id DESC, place)
                WHERE state = 'waiting';
            CREATE TRIGGER article_pictures_removed AFTER DELETE ON article_pictures
            WHEN NOT EXISTS (SELECT 1 FROM article_pictures WHERE name = OLD.name) BEGIN
                DELETE FROM stored_pictures WHERE name = OLD.name;
            END;
            CREATE TABLE article_pictures_due (
                article_id INTEGER PRIMARY KEY REFERENCES articles (id) ON DELETE CASCADE
            ) STRICT;
            CREATE TRIGGER article_pictures_due_added AFTER INSERT ON article_texts
            WHEN NOT EXISTS (SELECT 1 FROM article_pictures_due WHERE article_id = NEW.article_id) BEGIN
                INSERT INTO article_pictures_due (article_id) VALUES (NEW.article_id);
            END;
            CREATE TRIGGER article_pictures_due_changed AFTER UPDATE OF markup ON article_texts
            WHEN NOT EXISTS (SELECT 1 FROM article_pictures_due WHERE article_id = NEW.article_id) BEGIN
                INSERT INTO article_pictures_due (article_id) VALUES (NEW.article_id);
            END;
            """)
}
