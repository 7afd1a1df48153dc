import { chromium } from "@playwright/test";
import { readFileSync } from "node:fs";
const [, , out, folder, width, height, ...names] = process.argv;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: names.length * (+width + 8), height: +height } });
const img = names.map((n) => `<div style="width:${width}px;height:${height}px;overflow:hidden"><img style="width:${width}px" src="data:image/png;base64,${readFileSync(`${folder}/${n}.png`).toString("base64")}"></div>`).join("");
await page.setContent(`<body style="margin:0;background:#888;display:flex;gap:8px">${img}</body>`);
await page.screenshot({ path: out });
await browser.close();
