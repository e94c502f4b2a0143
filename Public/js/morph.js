// Turns what a page shows into what the server has rendered anew, touching only what differs: focus, selection and
// open groups stay. Elements are told apart by data-key or id; data-owned ones, which scripts made, are left alone.
// ES2017 syntax, for walls.

const key = (node) => node.nodeType === Node.ELEMENT_NODE ? node.dataset.key || node.id || null : null;
const owned = (node) => node.nodeType === Node.ELEMENT_NODE && "owned" in node.dataset;

/** HTML text as a document whose scripts never run. */
export const parse = (html) => new DOMParser().parseFromString(html, "text/html");

/** Gives `target` the children of `source` and says so. */
export function morph(target, source) {
    const focused = document.activeElement;
    const selection = selectionOf(focused);
    morphChildren(target, source);
    if (focused && focused !== document.activeElement && focused.isConnected) {
        focused.focus({ preventScroll: true });
        if (selection) focused.setSelectionRange(...selection);
    }
    tell(target);
}

/** Puts each of these parts in the place of what has its key or id within `root`; "data-gone" takes that away. */
export function morphParts(root, parts) {
    for (const part of [...parts.children]) {
        for (const old of root.querySelectorAll("*")) {
            if (key(old) !== key(part)) continue;
            if ("gone" in part.dataset && !owned(old)) old.remove();
            else morphNode(old, part);
        }
    }
    tell(root);
}

const tell = (detail) => document.dispatchEvent(new CustomEvent("roost:morphed", { detail }));

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
            // First, so that those that stay need not be moved around it: a click on what is moved is lost.
            if (!owned(child)) child.remove();
        } else if (key(child) !== null) keyed.set(key(child), child);
    }
    let next = target.firstChild;
    for (const wanted of [...source.childNodes]) {
        const found = match(wanted, next, keyed);
        if (!found) {
            target.insertBefore(wanted, next);
            continue;
        }
        if (found === next) next = next.nextSibling;
        else target.insertBefore(found, next);
        morphNode(found, wanted);
    }
    while (next) {
        const after = next.nextSibling;
        if (!owned(next)) next.remove();
        next = after;
    }
}

/** The node that stands for `wanted` already: the one of that key, else the next one of that kind that has no key. */
function match(wanted, next, keyed) {
    const name = key(wanted);
    if (name !== null) {
        const found = keyed.get(name);
        keyed.delete(name);
        return found && found.nodeName === wanted.nodeName ? found : null;
    }
    for (let node = next; node; node = node.nextSibling) {
        if (node.nodeName === wanted.nodeName && key(node) === null && !owned(node)) return node;
        // A keyed element is a landmark: what stands behind it belongs to what comes later.
        if (key(node) !== null && wanted.nodeType === Node.ELEMENT_NODE) return null;
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

/** What the reader, not the server, decides: open groups, and which page of a screen is shown. */
const kept = (element, name) =>
    (name === "open" && element.localName === "details") || (name === "hidden" && "page" in element.dataset);

function morphAttributes(target, source) {
    for (const { name } of [...target.attributes]) {
        if (!source.hasAttribute(name) && !kept(target, name)) target.removeAttribute(name);
    }
    for (const { name, value } of [...source.attributes]) {
        if (target.getAttribute(name) !== value && !kept(target, name)) target.setAttribute(name, value);
    }
}
