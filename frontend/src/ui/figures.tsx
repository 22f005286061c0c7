// A row of figures, each read as one: "15+ years on watch".

export type Figure = { value: string; label: string };

export function Figures({ of }: { of: readonly Figure[] }) {
  return (
    <ul className="figures plain-list">
      {of.map(({ value, label }) => (
        <li key={label}>
          <strong>{value}</strong> <span>{label}</span>
        </li>
      ))}
    </ul>
  );
}
