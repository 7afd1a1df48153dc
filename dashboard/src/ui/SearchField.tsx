import { Search } from "lucide-react";
import { useEffect, useState } from "react";

const wait = 250;

/** A search that the server answers; it asks when the typing pauses. */
export function SearchField({ label, value, onSearch }: { label: string; value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  // What is asked for, and is not the value yet: the typing may go on before it is.
  const [sent, setSent] = useState<string[]>([]);
  if (value !== seen) {
    setSeen(value);
    const place = sent.indexOf(value);
    setSent(place < 0 ? [] : sent.slice(place + 1));
    // Back, or a link, changed it.
    if (place < 0) setText(value);
  }
  const asked = sent.at(-1) ?? value;
  useEffect(() => {
    if (text === asked) return;
    const timer = setTimeout(() => {
      setSent((sent) => [...sent, text]);
      onSearch(text);
    }, wait);
    return () => clearTimeout(timer);
  }, [text, asked, onSearch]);
  return (
    <div className="relative w-full sm:w-68">
      <Search size={14} aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint" />
      <input type="search" aria-label={label} placeholder={label} value={text} onChange={(event) => setText(event.target.value)} className="field pl-8" />
    </div>
  );
}
