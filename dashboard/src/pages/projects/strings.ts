export const strings = {
  title: "Projects",
  lead: "One project for each app. You see the projects that you are a member of.",
  list: "Your projects",
  none: "You are not a member of a project yet.",
  noneText: "An admin of a project invites you, or whoever has the root key makes one:",
  command: "WAFT_API_KEY=$WAFT_ROOT_KEY waft api POST /projects --body - <<< '{\"name\": \"My app\"}'",
  roles: { viewer: "Viewer", editor: "Editor", admin: "Admin" },
};
