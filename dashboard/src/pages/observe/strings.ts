export const strings = {
  title: "Errors",
};
