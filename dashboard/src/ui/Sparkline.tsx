import { count } from "@/format/format";

/** Shows values over equal time steps as small bars, oldest first. The label describes the values. */
export function Sparkline({ values, label }: { values: number[]; label: string }) {
  const most = Math.max(1, ...values);
  const text = `${label}: ${values.map((value) => count(value)).join(", ")}`;
  return (
    <svg role="img" aria-label={text} viewBox={`0 0 ${values.length * 3} 20`} preserveAspectRatio="none" className="h-5 w-full max-w-28 text-series-1">
      <line x1="0" x2={values.length * 3} y1="19.5" y2="19.5" stroke="currentColor" strokeOpacity="0.3" />
      {values.map((value, index) => {
        const height = value === 0 ? 0 : Math.max(1.5, (20 * value) / most);
        return <rect key={index} x={index * 3} y={20 - height} width="2" height={height} fill="currentColor" />;
      })}
    </svg>
  );
}
