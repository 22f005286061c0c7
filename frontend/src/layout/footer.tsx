// The footer of every public page.
import { company } from '../company';

export default function Footer() {
  return (
    <footer className="site-footer">
      <p>{`© ${company.year} ${company.legal_name}`}</p>
      <a href="/privacy">Privacy</a> <a href="/terms">Terms</a> <a href="/licensing">Licensing</a>
    </footer>
  );
}
