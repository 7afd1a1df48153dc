export const strings = {
  title: "Rollout",
};
