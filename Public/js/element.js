/** A new element with these properties and children; texts among them stay texts. */
export function make(name, properties, ...children) {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
}
