// The list of clients.
import { company } from '../../company';
import { clients, logoSlot } from '../../content/clients';
import { sampleCondition, shownEntries } from '../../content/conditions';
import { stateBySlug } from '../../content/states';
import { Section } from '../section';

export function Clients() {
  const { shown, condition } = shownEntries(clients);
  if (!shown.length) return null;
  return (
    <Section id="clients" kicker="Clients" title="Clients we protect" background="ink" condition={condition}>
      <ul className="client-list plain-list">
        {shown.map((client) => (
          <li key={client.name} data-if={sampleCondition(client)}>
            {client.logo ? <Logo of={client.logo} /> : null}
            <strong>{client.name}</strong>
            <span>{client.category}</span>
            <span>{`${client.location}, ${stateBySlug(client.state)?.name ?? client.state}`}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The logo of a client beside its name: the server puts the uploaded picture in, as for scenes. */
function Logo({ of }: { of: string }) {
  const slot = logoSlot(of);
  const photo = company.photos?.[slot];
  return (
    <div className="client-logo" data-scene={slot} aria-hidden="true">
      {photo ? <img src={photo} alt="" width="160" height="100" loading="lazy" decoding="async" /> : null}
    </div>
  );
}
