export const strings = {
  title: "Code signing",
};
