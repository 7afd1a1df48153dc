export const strings = {
  title: "API keys",
};
