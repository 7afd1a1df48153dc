export const strings = {
  title: "Project",
};
