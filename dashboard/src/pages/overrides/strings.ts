export const strings = {
  title: "User overrides",
};
