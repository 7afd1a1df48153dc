export const strings = {
  title: "Rollout policy",
};
