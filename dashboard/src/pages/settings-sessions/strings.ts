export const strings = {
  title: "Sessions",
  lead: "Where you are signed in. End what you do not know, and change your password then.",
  table: "Your sessions",
  columns: { browser: "Browser", method: "By", seen: "Last seen", began: "Began", ends: "Ends" },
  methods: { password: "Password", oidc: "Single sign-on", passkey: "Passkey", setup: "Setup link", invitation: "Invitation" },
  current: "This one",
  end: "End",
  endOf: (browser: string) => `End the session of ${browser}`,
  endText: "It is signed out with its next request.",
  unknown: "Unknown browser",
  done: "The session is ended.",
};
