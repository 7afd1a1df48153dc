/** Text of components that the sign-in pages show too. The sign-in pages do not load the text of the frame. */
export const strings = {
  product: "Waft",
  copy: "Copy",
  copied: "Copied",
  notCopied: "The browser did not permit copying. Select the text and copy it.",
};
