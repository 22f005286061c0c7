// A row of figures with labels, such as "15+ years in business".

/** `condition`: the fact without which the server removes the figure. */
export type Stat = { value: string; label: string; condition?: string };

export function Stats({ of }: { of: readonly Stat[] }) {
  return (
    <ul className="stats plain-list">
      {of.map(({ value, label, condition }) => (
        <li key={label} data-if={condition}>
          <strong>{value}</strong> <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}
