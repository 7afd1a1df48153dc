export const strings = {
  title: "Sign-in methods",
};
