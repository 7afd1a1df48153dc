import { strings } from "@/strings";
import { useProject, type Role } from "./project";

const rank: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 };

/** Returns why the person's role does not permit an action, or null if it does. Disabled buttons show the reason. */
export function useRefusal(needed: Role): string | null {
  const { role } = useProject();
  if (rank[role] >= rank[needed]) return null;
  return needed === "admin" ? strings.access.adminsOnly(role) : strings.access.editorsOnly;
}
