// Who we work for and what they say: seeds/site/clients.json and testimonials.json.
import clients from '@seeds/site/clients.json';
import testimonials from '@seeds/site/testimonials.json';

export { clients, testimonials };
