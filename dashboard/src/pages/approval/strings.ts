export const strings = {
  title: "Approval",
};
