export const strings = {
  title: "Device",
};
