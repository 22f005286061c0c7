// The list of sixteen clients.
import { clients } from '../content/clients';
import { stateBySlug } from '../content/states';
import { Section } from './section';

export function Clients() {
  return (
    <Section id="clients" time="21:30" kicker="Clients" title="On the board tonight" background="ink">
      <ul className="client-list plain-list">
        {clients.map(({ name, category, location, state }) => (
          <li key={name}>
            <strong>{name}</strong>
            <span>{category}</span>
            <span>{`${location}, ${stateBySlug(state)?.name ?? state}`}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
