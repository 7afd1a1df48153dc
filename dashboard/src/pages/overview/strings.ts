export const strings = {
  title: "Overview",
};
