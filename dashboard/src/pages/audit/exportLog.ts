import { problemOf } from "@/api/problem";

/** Downloads the entries that match the filter. */
export async function exportLog(project: string, filter: Record<string, string | undefined>, format: "jsonl" | "csv") {
  const query = new URLSearchParams({ format });
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  const answer = await fetch(`/v1/ota/audit-log/export?${query.toString()}`, { headers: { "X-Project": project } });
  if (!answer.ok) throw await problemOf(answer);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `audit-log-${project}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
