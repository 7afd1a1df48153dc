export const strings = {
  title: "Rollouts",
};
