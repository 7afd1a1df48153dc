export const strings = {
  title: "Projects",
};
