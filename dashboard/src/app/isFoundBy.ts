import { strings } from "@/strings";

/** Reports whether every word of a search occurs in a label. Some words mean the same, such as create and new. */
export function isFoundBy(label: string, search: string): boolean {
  const within = label.toLowerCase();
  const { synonyms } = strings.palette;
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word) || (synonyms.includes(word) && synonyms.some((each) => within.split(" ").includes(each))));
}
