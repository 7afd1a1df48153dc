import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compressed } from "./scripts/compressed.ts";
import { redoc } from "./scripts/redoc.ts";

// Where the development server finds the API: WAFT_URL of a running `make up`.
const api = process.env.WAFT_URL ?? "http://localhost:8080";

/** Serves the sign-in page for its addresses and the app for all others, as the Go package does. */
const pages: Plugin = {
  name: "pages",
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      const path = request.url?.split(/[?#]/)[0] ?? "";
      if (/^\/app\/(login|setup|invite)$/.test(path)) request.url = "/app/sign-in.html";
      next();
    });
  },
};

// `vite build --mode site` builds only the reference of the API, for any address below which it is put: the site of the documentation.
export default defineConfig(({ mode }) => ({
  base: mode === "site" ? "./" : "/app/",
  publicDir: mode === "site" ? false : "public",
  plugins: [react(), tailwindcss(), redoc(), pages, mode !== "site" && compressed()],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  build: {
    outDir: mode === "site" ? "../docs/public/api" : "dist",
    emptyOutDir: true,
    manifest: mode !== "site",
    // The policy permits no data: scripts or styles, and inlined files are not cached alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Redoc is 1 MB, and only the reference loads it.
    chunkSizeWarningLimit: 1100,
    rolldownOptions: { input: mode === "site" ? ["reference.html"] : { index: "index.html", signIn: "sign-in.html", reference: "reference.html" } },
  },
  server: { proxy: { "/v1": { target: api, changeOrigin: false }, "/openapi.json": { target: api, changeOrigin: false } } },
}));
