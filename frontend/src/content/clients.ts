// Clients and testimonials, from seeds/site/clients.json and testimonials.json.
import shippedClients from '@seeds/site/clients.json';
import shipped from '@seeds/site/testimonials.json';

/** What a client said; the office may leave out all but the words and the names. */
export type Testimonial = Omit<(typeof shipped)[number], 'portrait' | 'rating'> & {
  portrait?: string | null;
  rating?: number | null;
  source?: string | null;
  date?: string | null;
  link?: string | null;
};

export const testimonials: Testimonial[] = shipped;

/** A client; `logo` is the name of an uploaded picture. */
type Client = (typeof shippedClients)[number] & { logo?: string | null };

export const clients: Client[] = shippedClients;

/** The name under which the server shows a logo (src/domain/content/pictures.rs). */
export const logoSlot = (picture: string) => `logo-${picture.slice(0, 12)}`;
