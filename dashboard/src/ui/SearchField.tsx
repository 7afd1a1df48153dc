import { Search } from "lucide-react";
import { useEffect } from "react";
import { useTyped } from "./useTyped";

const wait = 250;

/** A field for a search on the server. Sends the search when typing pauses. */
export function SearchField({ label, value, onSearch }: { label: string; value: string; onSearch: (text: string) => void }) {
  const { text, setText, tell, isTold } = useTyped(value, onSearch);
  useEffect(() => {
    if (isTold) return;
    const timer = setTimeout(() => tell(text), wait);
    return () => clearTimeout(timer);
  }, [text, isTold, tell]);
  return (
    <div className="relative w-full sm:w-80">
      <Search size={14} aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
      <input type="search" maxLength={200} aria-label={label} placeholder={label} value={text} onChange={(event) => setText(event.target.value)} className="field pl-8" />
    </div>
  );
}
