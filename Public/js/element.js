/** Creates an element with properties and children. Strings become text nodes, never HTML. */
export function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
}
