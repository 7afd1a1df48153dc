import "./reference.css";
import { init } from "redoc/bundles/redoc.standalone.js";
import { strings } from "./strings";
import { theme } from "./theme";

// Next to this page, on a server as well as on the site of the documentation.
const address = "openapi.json";
const dark = matchMedia("(prefers-color-scheme: dark)");

/** The part of an OpenAPI document that the page leaves out: events have a page in the documentation, and would take a fifth of the time. */
interface Definition {
  webhooks?: object;
}

/** Replaces what the page shows. Redoc keeps its root, so each rendering gets an element of its own. */
function show(content: Node) {
  document.querySelector("#reference")!.replaceChildren(content);
}

function render(definition: Definition) {
  const root = document.createElement("div");
  show(root);
  init({ ...definition, webhooks: undefined }, {
    theme: theme(dark.matches),
    // The definition's own addresses are "/", so the server that the page is on is meant.
    hideHostname: true,
    downloadUrls: [{ title: strings.download, url: address }],
    nativeScrollbars: true,
    sanitize: true,
    sortRequiredPropsFirst: true,
    jsonSamplesExpandLevel: 3,
    minCharacterLengthToInitSearch: 2,
  }, root);
}

async function load() {
  show(document.createTextNode(strings.loading));
  const response = await fetch(address);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const definition = (await response.json()) as Definition;
  render(definition);
  dark.addEventListener("change", () => render(definition));
}

load().catch((error: unknown) => show(document.createTextNode(strings.failed(String(error)))));
