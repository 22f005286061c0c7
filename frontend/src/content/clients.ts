// Clients and testimonials, from seeds/site/clients.json and testimonials.json.
import clients from '@seeds/site/clients.json';
import testimonials from '@seeds/site/testimonials.json';

export { clients, testimonials };
