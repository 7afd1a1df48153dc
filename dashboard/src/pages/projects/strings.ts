export const strings = {
  title: "Projects",
  lead: "Each app has its own project. You see the projects that you are a member of.",
  list: "Your projects",
  noneOwner: "No projects yet.",
  none: "You are not a member of a project yet.",
  noneText: "Ask an admin of a project to invite you. If you have the root key, you can create a project:",
  command: "WAFT_API_KEY=$WAFT_ROOT_KEY waft projects create 'My app'",
  roles: { viewer: "Viewer", editor: "Editor", admin: "Admin" },
};
