import { make } from "./element.js";

const SIDE = 32; // pixels

const link = document.querySelector("link[rel=icon]");
const { href, type } = link;
let wanted = 0;

/** The unread messages on the tab's icon; the icon alone where there are none. */
export async function show(count) {
    wanted = count;
    link.dataset.unread = count;
    if (!count) return Object.assign(link, { href, type });
    const icon = make("img", { src: href, width: SIDE, height: SIDE });
    await icon.decode().catch(() => {});
    if (count !== wanted) return;
    const canvas = make("canvas", { width: SIDE, height: SIDE });
    const pen = canvas.getContext("2d");
    if (icon.naturalWidth) pen.drawImage(icon, 0, 0, SIDE, SIDE);
    pen.fillStyle = "#b3261e";
    pen.beginPath();
    pen.arc(21, 11, 11, 0, 2 * Math.PI);
    pen.fill();
    pen.fillStyle = "#fff";
    pen.font = "600 16px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillText(count > 9 ? "9+" : count, 21, 12, 18);
    Object.assign(link, { type: "image/png", href: canvas.toDataURL() });
}
