export const strings = {
  title: "Flag",
};
