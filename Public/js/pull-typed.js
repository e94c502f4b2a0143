// Keeps what someone types into the forms of pull requests until it is sent: the pane next to the inbox exchanges them,
// and every act loads the page again.

const SENT = "pull-sent";

/** Where this reader's texts are, by the id of their box. Null without forms. */
const place = () => {
    const acts = document.getElementById("acts");
    return acts && `pull-typed ${acts.dataset.login}`;
};

function read(name) {
    try {
        return JSON.parse(sessionStorage.getItem(name));
    } catch {
        return null; // the browser allows no storage
    }
}

function write(name, value) {
    try {
        sessionStorage.setItem(name, JSON.stringify(value));
    } catch {
        // The storage is full or not allowed, so the text is only in its box.
    }
}

/** Puts what was typed into boxes that are new on the page. */
export function putBack(root) {
    const texts = new Map(read(place()));
    for (const box of root.querySelectorAll(".pull-form textarea")) {
        const text = texts.get(box.id);
        if (text === undefined || box.value !== box.defaultValue) continue;
        box.value = text;
        const lines = box.closest(".line-comment");
        if (lines) lines.open = true;
    }
}

document.addEventListener("input", ({ target: box }) => {
    const name = box.matches(".pull-form textarea") && place();
    if (!name) return;
    const texts = new Map(read(name));
    if (box.value === box.defaultValue) texts.delete(box.id);
    else texts.set(box.id, box.value);
    write(name, [...texts]);
});

// Whether it was done is known from the page that the form leads to, perhaps after a question.
document.addEventListener("submit", ({ target: form, submitter }) => {
    if (!form.matches(".pull-form")) return;
    const sent = submitter?.value === "discardDraft" ? form.closest(".form-group") : form;
    write(SENT, [...sent.querySelectorAll("textarea")].map((box) => box.id));
});

document.addEventListener("roost:morphed", () => putBack(document));

function start() {
    const name = place();
    if (name && document.querySelector("#notice .notice:not(.trouble)")) {
        const texts = new Map(read(name));
        for (const id of read(SENT) ?? []) texts.delete(id);
        write(name, [...texts]);
    }
    write(SENT, []);
    putBack(document);
}

start();
