// The logo and the company name, linked to Home.
import { company } from '../company';

export function Logo() {
  return (
    <a className="logo" href="/">
      <svg viewBox="0 0 32 36" aria-hidden="true">
        <path fill="#0c1a2c" d="M1 9 16 1l15 8v4H1zM4 15h24v20H4z" />
        <path fill="#ffb224" d="M9 19h14v7H9z" />
        <path stroke="#0c1a2c" strokeWidth="1.5" d="M16 19v7" />
      </svg>
      <span>{company.name}</span>
    </a>
  );
}
