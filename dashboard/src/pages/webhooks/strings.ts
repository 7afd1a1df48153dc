export const strings = {
  title: "Webhooks",
};
