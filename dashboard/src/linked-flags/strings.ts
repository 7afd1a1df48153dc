export const strings = {
  title: "Linked flags",
  hint: "Devices that run the release get these values.",
  add: "Add a flag",
  on: "on",
  off: "off",
  value: (flag: string) => `Value of ${flag}`,
  remove: (flag: string) => `Do not set ${flag}`,
};
