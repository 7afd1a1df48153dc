export const strings = {
  title: "Releases",
};
