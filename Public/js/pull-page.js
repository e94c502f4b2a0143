import { PullDiffs } from "./pull-diffs.js";

/** A pull request's page. */
new PullDiffs(document.querySelector(".pull-pane")).start();
