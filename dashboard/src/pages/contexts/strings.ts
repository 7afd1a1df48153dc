export const strings = {
  title: "Contexts",
};
