export const strings = {
  loading: "Loading the description of the API…",
  failed: (reason: string) => `openapi.json could not be loaded (${reason}). Reload the page.`,
  download: "openapi.json",
};
