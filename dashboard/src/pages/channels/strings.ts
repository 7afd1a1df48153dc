export const strings = {
  title: "Channels and branches",
};
