/** The pull request on its page, or next to the list. */
const pane = () => document.querySelector(".pull-pane");
const shown = (selector) => [...pane().querySelectorAll(selector)].filter((element) => element.checkVisibility());

/** Returns the element with the focus, or else the first one that is not above the screen. */
function current(elements) {
    const top = pane().closest(".detail-side")?.getBoundingClientRect().top ?? 0;
    return elements.find((element) => element.contains(document.activeElement))
        ?? elements.find((element) => element.getBoundingClientRect().bottom > top + 1);
}

/** Moves the focus to the next or previous element of the list; at first, to the current one. */
function move(elements, step, block) {
    const now = current(elements);
    const isInside = now?.contains(document.activeElement);
    const next = isInside || step < 0 ? elements[elements.indexOf(now) + step] : now;
    if (!next) return;
    next.querySelector("summary")?.focus({ preventScroll: true });
    next.scrollIntoView({ block });
    return next;
}

/** Goes to another file. In the conversation, opens the list of files. */
function moveFile(step) {
    const files = shown(".file");
    if (files.length) move(files, step, "start");
    else pane().querySelector("[data-files]:not([aria-current])")?.click();
}

function moveThread(step) {
    const thread = move(shown(".code-thread"), step, "center");
    if (thread) thread.open = true;
}

/** Presses the button of the current file. A viewed file is folded, and the next one gets the focus. */
function toggleViewed() {
    const file = current(shown(".file"));
    const button = file?.querySelector(".viewed-box");
    if (!button) return;
    const isViewed = button.ariaPressed === "true";
    button.form.requestSubmit(button);
    file.querySelector("summary").focus({ preventScroll: true });
    file.querySelector("details").open = isViewed;
    if (!isViewed) moveFile(1);
}

/** Goes to the text of a form. An approval is only chosen: sending it asks first. */
function write(act, verdict) {
    const form = pane().querySelector(`form[data-form=${act}]`);
    const choice = form?.querySelector(`[name=verdict][value=${verdict}]`);
    if (choice) choice.checked = true;
    form?.querySelector("textarea").focus();
}

/** What keys do with a pull request: its files, threads and forms. */
export const moves = {
    n: () => moveFile(1),
    p: () => moveFile(-1),
    v: toggleViewed,
    c: () => write("comment"),
    a: () => write("review", "approve"),
    "]": () => moveThread(1),
    "[": () => moveThread(-1),
};
