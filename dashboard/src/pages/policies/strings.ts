export const strings = {
  title: "Rollout policies",
};
