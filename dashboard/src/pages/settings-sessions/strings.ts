export const strings = {
  title: "Sessions",
};
