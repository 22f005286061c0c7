// The list of clients.
import { clients } from '../content/clients';
import { sampleCondition, shownEntries } from '../content/conditions';
import { stateBySlug } from '../content/states';
import { SampleNote } from './sample-note';
import { Section } from './section';

export function Clients() {
  const { shown, condition } = shownEntries(clients);
  if (!shown.length) return null;
  return (
    <Section id="clients" kicker="Clients" title="Clients we protect" background="ink" condition={condition}>
      {shown.some(({ sample }) => sample) ? <SampleNote of="clients" /> : null}
      <ul className="client-list plain-list">
        {shown.map((client) => (
          <li key={client.name} data-if={sampleCondition(client)}>
            <strong>{client.name}</strong>
            <span>{client.category}</span>
            <span>{`${client.location}, ${stateBySlug(client.state)?.name ?? client.state}`}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
