export const strings = {
  title: "Devices",
};
