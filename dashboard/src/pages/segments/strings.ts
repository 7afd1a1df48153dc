export const strings = {
  title: "Segments",
};
