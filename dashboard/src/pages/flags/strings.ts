export const strings = {
  title: "Flags",
};
