// Clients and testimonials, from seeds/site/clients.json and testimonials.json.
import clients from '@seeds/site/clients.json';
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

export { clients };
