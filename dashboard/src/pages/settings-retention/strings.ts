export const strings = {
  title: "Retention",
};
