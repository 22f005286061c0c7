// The confirmation of a form. Its code is loaded while the visitor fills in the form, so that it is
// there without a connection too; server HTML of it is kept.
import { staticIsland } from '../static-island';
import type { BannerProps } from './banner';

export const Confirmation = staticIsland<BannerProps>(() => import('./banner'));
