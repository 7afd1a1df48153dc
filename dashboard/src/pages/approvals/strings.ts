export const strings = {
  title: "Approvals",
};
