import { strings } from "@/strings";
import { useProject, type Role } from "./project";

const rank: Record<Role, number> = { viewer: 0, editor: 1, admin: 2 };

/** Why the person may not do what needs the role; null when they may. Buttons show it and are disabled. */
export function useRefusal(needed: Role): string | null {
  const { role } = useProject();
  if (rank[role] >= rank[needed]) return null;
  return needed === "admin" ? strings.access.adminsOnly(role) : strings.access.editorsOnly;
}
