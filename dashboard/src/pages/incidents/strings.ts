export const strings = {
  title: "Incidents",
};
