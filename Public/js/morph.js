// Updates the page to the server's new rendering and touches only what differs: focus, selection and open groups
// stay. Elements are matched by data-key or id. Elements made by scripts have data-owned and are left alone. ES2017
// syntax, for walls.

// Not `node.id`: in a form that is its field named "id".
const key = (node) => node.nodeType === Node.ELEMENT_NODE ? node.dataset.key || node.getAttribute("id") || null : null;
const owned = (node) => node.nodeType === Node.ELEMENT_NODE && "owned" in node.dataset;

/** Parses HTML into a document whose scripts never run. */
export const parse = (html) => new DOMParser().parseFromString(html, "text/html");

/** Gives `target` the children of `source` and publishes an event. */
export function morph(target, source) {
    const focused = document.activeElement;
    const selection = selectionOf(focused);
    morphChildren(target, source);
    if (focused && focused !== document.activeElement && focused.isConnected) {
        focused.focus({ preventScroll: true });
        if (selection) focused.setSelectionRange(...selection);
    }
    emit(target);
}

/** Replaces the elements in `root` that have the same key or id as these parts; "data-gone" removes them. */
export function morphParts(root, parts) {
    for (const part of [...parts.children]) {
        for (const old of root.querySelectorAll("*")) {
            if (key(old) !== key(part)) continue;
            if ("gone" in part.dataset && !owned(old)) old.remove();
            else morphNode(old, part);
        }
    }
    emit(root);
}

const emit = (detail) => document.dispatchEvent(new CustomEvent("roost:morphed", { detail }));

function selectionOf(element) {
    if (!(element instanceof HTMLInputElement) || element.selectionStart === null) return null;
    return [element.selectionStart, element.selectionEnd];
}

function morphChildren(target, source) {
    const kind = (node) => key(node) || node.nodeName;
    const kinds = new Set([...source.childNodes].map(kind));
    const keyed = new Map();
    for (const child of [...target.childNodes]) {
        if (!kinds.has(kind(child))) {
            // Removed first, so that the remaining nodes need not move: a click on a moved node is lost.
            if (!owned(child)) child.remove();
        } else if (key(child) !== null) keyed.set(key(child), child);
    }
    let next = target.firstChild;
    for (const newNode of [...source.childNodes]) {
        // Space in the way of an element: without it the element need not move, which would reset its scroll position.
        while (next && next.nodeName === "#text" && newNode.nodeName !== "#text") {
            const space = next;
            next = next.nextSibling;
            space.remove();
        }
        const found = match(newNode, next, keyed);
        if (!found) {
            target.insertBefore(newNode, next);
            continue;
        }
        if (found === next) next = next.nextSibling;
        else target.insertBefore(found, next);
        morphNode(found, newNode);
    }
    while (next) {
        const after = next.nextSibling;
        if (!owned(next)) next.remove();
        next = after;
    }
}

/** Returns the node that corresponds to `newNode`: with the same key, else the next node of its kind without a key. */
function match(newNode, next, keyed) {
    const name = key(newNode);
    if (name !== null) {
        const found = keyed.get(name);
        keyed.delete(name);
        return found && found.nodeName === newNode.nodeName ? found : null;
    }
    for (let node = next; node; node = node.nextSibling) {
        if (node.nodeName === newNode.nodeName && key(node) === null && !owned(node)) return node;
        // Nodes after a keyed element belong to later content.
        if (key(node) !== null && newNode.nodeType === Node.ELEMENT_NODE) return null;
    }
    return null;
}

export function morphNode(target, source) {
    if (owned(target) || target.isEqualNode(source)) return;
    if (target.nodeType !== Node.ELEMENT_NODE) {
        target.nodeValue = source.nodeValue;
        return;
    }
    morphAttributes(target, source);
    morphChildren(target, source);
}

/** State that belongs to the reader: open groups, and the visible page of a wall. */
const keeps = (element, name) =>
    (name === "open" && element.localName === "details") || (name === "hidden" && "page" in element.dataset);

function morphAttributes(target, source) {
    for (const { name } of [...target.attributes]) {
        // An element that a script has made focusable would lose the focus.
        if (!source.hasAttribute(name) && name !== "tabindex" && !keeps(target, name)) target.removeAttribute(name);
    }
    for (const { name, value } of [...source.attributes]) {
        if (target.getAttribute(name) !== value && !keeps(target, name)) target.setAttribute(name, value);
    }
}
