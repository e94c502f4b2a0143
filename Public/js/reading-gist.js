import { Copy } from "./copy.js";

for (const box of document.querySelectorAll("[data-copy]")) new Copy(box).start();
import("./reading-offline.js").then(({ Offline }) => new Offline().start(), () => {});
