export const strings = {
  title: "Trusted publishers",
};
