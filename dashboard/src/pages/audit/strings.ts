export const strings = {
  title: "Audit log",
};
