// The line icons of the user interface, on a 24 by 24 grid.
import { closePath, LineIcon } from './line-icon';

const paths = {
  phone:
    'M6.5 3.5h3l1.5 4-2 1.6a12 12 0 0 0 5.9 5.9l1.6-2 4 1.5v3a2 2 0 0 1-2.2 2A16.5 16.5 0 0 1 4.5 5.7a2 2 0 0 1 2-2.2Z',
  mail: 'M3.5 5.5h17v13h-17zM4 6l8 7 8-7',
  pin: 'M12 21s-6.5-6-6.5-11a6.5 6.5 0 0 1 13 0c0 5-6.5 11-6.5 11ZM12 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6Z',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM12 7v5l3.5 2',
  check: 'M4.5 12.5l5 5 10-11',
  close: closePath,
  menu: 'M4 7h16M4 12h16M4 17h16',
  chevron: 'M6 9l6 6 6-6',
  arrow: 'M4 12h15M13 6l6 6-6 6',
  shield: 'M12 3l7.5 2.5v6c0 4.5-3.2 7.9-7.5 9.5-4.3-1.6-7.5-5-7.5-9.5v-6zM8.5 12l2.5 2.5 4.5-5',
  alert: 'M12 4l9 16H3zM12 10v4.5M12 17v.5',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon; the adjacent text or the label of the button has its meaning. */
export function Icon({ name }: { name: IconName }) {
  return <LineIcon path={paths[name]} />;
}
