export const strings = {
  title: "Error",
};
