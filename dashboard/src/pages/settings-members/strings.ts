export const strings = {
  title: "Members",
};
