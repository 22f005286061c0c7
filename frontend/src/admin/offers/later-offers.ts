// The offers of the open request, loaded when a request is opened.
import { later } from '../ui/later';

export const LaterOffers = later(() => import('./offers'));
