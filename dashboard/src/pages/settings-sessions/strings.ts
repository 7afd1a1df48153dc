export const strings = {
  title: "Sessions",
  lead: "Where you are signed in. If you do not recognize a session, end it and change your password.",
  table: "Your sessions",
  columns: { browser: "Browser or terminal", method: "Method", seen: "Last seen", began: "Began", ends: "Ends" },
  methods: { password: "Password", oidc: "Single sign-on", passkey: "Passkey", setup: "Setup link", invitation: "Invitation", terminal: "Terminal" },
  current: "This one",
  end: "End",
  endOf: (browser: string) => `End the session of ${browser}`,
  endText: "The browser or terminal is signed out with its next request.",
  unknown: "Unknown browser",
  done: "The session is ended.",
};
