export const strings = {
  title: "Release",
};
