import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { APIRequestContext } from "@playwright/test";
import { url } from "../tests/support/project";

const document = `<!doctype html><html lang="en"><title>Bare</title><h1>A page of one heading</h1>
<input aria-label="Find"><div role="table"><div role="row"><div role="cell" id="found"></div></div></div>
<script type="module" src="/app/assets/bare.js"></script></html>`;

// It shows each response as it arrives, and the typed text.
const script = `document.querySelector("input").oninput = (event) => void (document.querySelector("#found").textContent = event.target.value);
for (;;) document.querySelector("h1").textContent = await (await fetch("/next")).text();`;

/** A page without a framework, with the headers of the dashboard's page: the baseline of every measurement. */
export class Bare {
  private waiting?: ServerResponse;
  private text?: string;

  private constructor(readonly url: string) {}

  static async serve(request: APIRequestContext): Promise<Bare> {
    const headers = (await request.get("/app/login")).headers();
    for (const name of ["content-length", "content-encoding", "transfer-encoding", "connection", "etag"]) delete headers[name];
    const server = createServer((request, response) => bare.answer(request.url ?? "", headers, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    server.unref();
    const bare = new Bare(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const policy = headers["content-security-policy"];
    // The policy names the host of what it permits.
    if (policy) headers["content-security-policy"] = policy.replaceAll(new URL(url).host, new URL(bare.url).host);
    return bare;
  }

  /** Has the page show a text. */
  async say(text: string) {
    await fetch(`${this.url}/say?${encodeURIComponent(text)}`);
  }

  private answer(path: string, headers: Record<string, string>, response: ServerResponse) {
    const said = /^\/say\?(.*)/.exec(path)?.[1];
    if (said !== undefined) {
      this.text = decodeURIComponent(said);
      response.end();
      this.tell();
    } else if (path === "/next") {
      this.waiting = response;
      this.tell();
    } else if (path === "/") {
      response.writeHead(200, headers).end(document);
    } else {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(script);
    }
  }

  private tell() {
    if (this.text === undefined || !this.waiting) return;
    this.waiting.end(this.text);
    this.waiting = this.text = undefined;
  }
}
