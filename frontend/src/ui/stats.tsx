// A row of figures with labels, such as "15+ years on watch".

export type Stat = { value: string; label: string };

export function Stats({ of }: { of: readonly Stat[] }) {
  return (
    <ul className="stats plain-list">
      {of.map(({ value, label }) => (
        <li key={label}>
          <strong>{value}</strong> <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}
