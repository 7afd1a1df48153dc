import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { compressed } from "./scripts/compressed.ts";

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

export default defineConfig({
  base: "/app/",
  plugins: [react(), tailwindcss(), pages, compressed()],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    manifest: true,
    // The policy permits no data: scripts or styles, and inlined files are not cached alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { index: "index.html", signIn: "sign-in.html" } },
  },
  server: { proxy: { "/v1": { target: api, changeOrigin: false } } },
});
