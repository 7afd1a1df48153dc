export const strings = {
  title: "Webhook",
};
