import { Copy } from "./copy.js";
import { Offline } from "./reading-offline.js";

for (const box of document.querySelectorAll("[data-copy]")) new Copy(box).start();
new Offline().start();
